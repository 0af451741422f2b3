import { expect, test } from "vitest";
import { forgeAt } from "./forge-at.ts";

test.each<readonly [string, string | null]>([
  ["https://github.com/acme/shop.git", "forge: {kind: github, repo: acme/shop}"],
  ["https://github.com/acme/shop/", "forge: {kind: github, repo: acme/shop}"],
  ["git@github.com:acme/shop.git", "forge: {kind: github, repo: acme/shop}"],
  ["ssh://git@gitlab.com:22/acme/web/shop.git", "forge: {kind: gitlab, repo: acme/web/shop}"],
  ["https://gitlab.com/acme/shop", "forge: {kind: gitlab, repo: acme/shop}"],
  [
    "git@gitlab.example.org:acme/shop.git",
    'forge: {kind: gitlab, repo: acme/shop, base_url: "https://gitlab.example.org/api/v4"}',
  ],
  ["https://git.example.org/acme/shop.git", null],
  ["https://notgithub.com/acme/shop.git", null],
  ["https://github.com/acme", null],
  ["/srv/git/shop.git", null],
  ["../github.com/acme/shop.git", null],
])("%s would be %s", (remote, forge) => {
  expect(forgeAt(remote)).toBe(forge);
});
