/** Shells that completion is written for. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

// Each asks the program itself, `pawl __complete WORD…` (the last word is the one that is typed, and may be empty), and
// takes files where that has no answer. Nothing is kept in the shell: what it offers is what there is.
const BASH = `# pawl completion for bash: source <(pawl completion bash)
_pawl() {
  local found
  COMPREPLY=()
  while IFS= read -r found; do COMPREPLY+=("$found"); done \\
    < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _pawl pawl
`;
const ZSH = `#compdef pawl
# pawl completion for zsh: source <(pawl completion zsh)
_pawl() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found[1]" ]]; then compadd -a found; else _files; fi
}
compdef _pawl pawl
`;
const FISH = `# pawl completion for fish: pawl completion fish | source
function __pawl_complete
  set -l words (commandline -opc)
  $words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c pawl -a '(__pawl_complete)'
`;
const POWERSHELL = `# pawl completion for PowerShell: pawl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName pawl -ScriptBlock {
  param($word, $ast, $at)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $at } | ForEach-Object { $_.ToString() })
  & pawl __complete @words "$word" 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;

/** What a shell reads so that it completes \`pawl\`. */
export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };
