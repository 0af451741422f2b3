/** Words that say nothing of where in the code something is. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its is are was were be been being am and or but nor not no so if then else than as at
  by for from in into of off on onto out over to up with without within via per about after before between during under
  we you they he she i my your our their his her them us me can could should would will shall may might must do does did
  done have has had having get gets got when where which who whom whose what why how all any both each few more most
  other some such only own same too very just also there here now again still yet because while until through
  fix fixes fixed fixing feat feature chore refactor docs doc perf ci build style revert bump release add adds added adding
  remove removes removed use uses used using make makes made allow allows support supports update updates updated change
  changes changed improve improves improved ensure ensures handle handles instead properly correctly correct
  wip via issue issues bug bugs please new`.split(/\s+/),
);
