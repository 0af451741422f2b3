import { describe, expect, test } from "vitest";
import { shows } from "../../../../test/support/shows.ts";
import type { ImportKind } from "../../../ports/parser.ts";
import { languages } from "../language.ts";
import { placesOf } from "./places.ts";
import { importResolver } from "./resolve.ts";
import { isLayoutFile } from "./resolver.ts";
import { useTree } from "./rust.ts";

/** A tree: path -> text of a layout file, or the module that a source names; then imports and where they lead. */
interface Case {
  readonly tree: Readonly<Record<string, string>>;
  readonly from: string;
  /** [kind, specifier, member] or a specifier, and the files it leads to */
  readonly leads: readonly (readonly [string | readonly [ImportKind, string, string], ...string[]])[];
}

function leadsOf({ tree, from, leads }: Case): readonly (readonly string[])[] {
  const paths = Object.keys(tree).sort();
  const languageOf = languages(paths);
  const sources = paths.flatMap((path) => {
    const language = languageOf(path);
    return language === null ? [] : [{ path, language, module: tree[path]! }];
  });
  const texts = new Map(paths.filter(isLayoutFile).map((path) => [path, tree[path]!]));
  const resolve = importResolver({ places: placesOf(paths), sources, texts });
  const importer = sources.find(({ path }) => path === from)!;
  return leads.map(([wanted]) => {
    const [kind, specifier, member] = typeof wanted === "string" ? (["module", wanted, ""] as const) : wanted;
    return resolve(importer, { kind, specifier, member, line: 1 });
  });
}

const CASES: Readonly<Record<string, Case>> = {
  "TypeScript: paths, with and without their ending, as it is and as it will be built": {
    tree: { "src/a.ts": "", "src/b.ts": "", "src/c/index.tsx": "", "src/d.d.ts": "", "src/e.mts": "", "src/f.js": "" },
    from: "src/a.ts",
    leads: [
      ['"./b"', "src/b.ts"],
      ["'./b.ts'", "src/b.ts"],
      ['"./b.js"', "src/b.ts"],
      ['"./c"', "src/c/index.tsx"],
      ['"./d"', "src/d.d.ts"],
      ['"./e.mjs"', "src/e.mts"],
      ['"./f.js?raw"', "src/f.js"],
      ['"../../out"'],
      ['"./a"'],
      ['"node:fs"'],
      ['"react"'],
    ],
  },
  "TypeScript: tsconfig's paths through extends, comments and commas too many; baseUrl": {
    tree: {
      "tsconfig.base.json":
        '{ // base\n "compilerOptions": { "paths": { "@lib/*": ["lib/*"], "exact": ["lib/x.ts"], }, } }',
      "web/tsconfig.json": '{ "extends": "../tsconfig.base.json" }',
      "api/tsconfig.json": '{ "compilerOptions": { "baseUrl": "src" } }',
      "lib/x.ts": "",
      "web/a.ts": "",
      "api/src/deep/y.ts": "",
      "api/src/a.ts": "",
    },
    from: "web/a.ts",
    leads: [['"@lib/x"', "lib/x.ts"], ['"exact"', "lib/x.ts"], ['"deep/y"']],
  },
  "TypeScript: baseUrl": {
    tree: { "api/tsconfig.json": '{"compilerOptions":{"baseUrl":"src"}}', "api/src/deep/y.ts": "", "api/src/a.ts": "" },
    from: "api/src/a.ts",
    leads: [['"deep/y"', "api/src/deep/y.ts"]],
  },
  "TypeScript: packages of the repository by their exports, built files by their source; #imports": {
    tree: {
      "packages/core/package.json":
        '{"name":"@shop/core","exports":{".":{"import":"./dist/index.mjs"},"./cart":"./dist/cart.js","./x/*":"./src/x/*.ts"}}',
      "packages/core/src/index.ts": "",
      "packages/core/src/cart.ts": "",
      "packages/core/src/x/deep.ts": "",
      "packages/plain/package.json": '{"name":"plain","main":"lib/main.js"}',
      "packages/plain/src/main.ts": "",
      "app/package.json": '{"name":"app","imports":{"#db/*":"./src/db/*.js"}}',
      "app/src/a.ts": "",
      "app/src/db/open.ts": "",
      "app/src/util.ts": "",
    },
    from: "app/src/a.ts",
    leads: [
      ['"@shop/core"', "packages/core/src/index.ts"],
      ['"@shop/core/cart"', "packages/core/src/cart.ts"],
      ['"@shop/core/x/deep"', "packages/core/src/x/deep.ts"],
      ['"plain"', "packages/plain/src/main.ts"],
      ['"#db/open"', "app/src/db/open.ts"],
      ['"@/util"', "app/src/util.ts"],
      ['"@shop/none"'],
    ],
  },
  "Python: packages from their root, relative modules, members that are modules": {
    tree: {
      "src/shop/__init__.py": "",
      "src/shop/cart.py": "",
      "src/shop/db/__init__.py": "",
      "src/shop/db/open.py": "",
      "tests/test_cart.py": "",
      "tool.py": "",
    },
    from: "src/shop/db/open.py",
    leads: [
      [["module", "shop.cart", "Cart"], "src/shop/cart.py"],
      [["module", "shop", "cart"], "src/shop/cart.py"],
      [["module", "shop.cart.Cart", ""], "src/shop/cart.py"],
      [["relative", "..cart", "Cart"], "src/shop/cart.py"],
      [["relative", ".", "Other"], "src/shop/db/__init__.py"],
      [["relative", "..", "cart"], "src/shop/cart.py"],
      [["module", "tool", ""], "tool.py"],
      [["module", "os.path", ""]],
      [["relative", ".....x", ""]],
    ],
  },
  "Rust: mod, crate, self, super, other crates": {
    tree: {
      "core/Cargo.toml": '[package]\nname = "shop-core"\n[dependencies]\nname = "no"\n',
      "core/src/lib.rs": "",
      "core/src/cart.rs": "",
      "core/src/db/mod.rs": "",
      "core/src/db/open.rs": "",
      "app/Cargo.toml": '[package]\nname = "app"\n',
      "app/src/main.rs": "",
      "app/src/view.rs": "",
      "app/src/view/list.rs": "",
    },
    from: "core/src/db/open.rs",
    leads: [
      ["crate::cart::Cart", "core/src/cart.rs"],
      ["super::super::cart", "core/src/cart.rs"],
      ["super::Db", "core/src/db/mod.rs"],
      ["shop_core::{cart::Cart, db::open::Open as O}", "core/src/cart.rs"],
      ["std::fmt"],
    ],
  },
  "Rust: from another crate, and modules below a file": {
    tree: {
      "core/Cargo.toml": '[package]\nname = "shop-core"\n',
      "core/src/lib.rs": "",
      "core/src/cart.rs": "",
      "app/Cargo.toml": '[package]\nname = "app"\n',
      "app/src/view.rs": "",
      "app/src/view/list.rs": "",
    },
    from: "app/src/view.rs",
    leads: [
      [["submodule", "list", ""], "app/src/view/list.rs"],
      ["self::list::Row", "app/src/view/list.rs"],
      ["shop_core::{cart::Cart, Shop}", "core/src/cart.rs", "core/src/lib.rs"],
    ],
  },
  "Go: folders below the module path, without their tests": {
    tree: {
      "go.mod": "module example.com/shop\n\ngo 1.22\n",
      "main.go": "main",
      "store/open.go": "store",
      "store/read.go": "store",
      "store/open_test.go": "store",
    },
    from: "main.go",
    leads: [['"example.com/shop/store"', "store/open.go", "store/read.go"], ['"example.com/shopping"'], ['"fmt"']],
  },
  "Java: classes, nested ones, whole packages, static members": {
    tree: {
      "a/src/com/x/App.java": "com.x",
      "b/src/com/x/db/Open.java": "com.x.db",
      "b/src/com/x/db/Read.java": "com.x.db",
    },
    from: "a/src/com/x/App.java",
    leads: [
      ["com.x.db.Open", "b/src/com/x/db/Open.java"],
      ["com.x.db.Open.Mode", "b/src/com/x/db/Open.java"],
      [["module", "com.x.db", "*"], "b/src/com/x/db/Open.java", "b/src/com/x/db/Read.java"],
      ["java.util.List"],
    ],
  },
  "C: beside the file first, then the nearest with that end; the system's are not ours": {
    tree: { "lib/a.c": "", "lib/a.h": "", "inc/shop/a.h": "", "inc/shop/only.h": "", "other/lib/b.h": "" },
    from: "lib/a.c",
    leads: [
      [["include", '"a.h"', ""], "lib/a.h"],
      [["include", '"shop/a.h"', ""], "inc/shop/a.h"],
      [["module", "<shop/only.h>", ""], "inc/shop/only.h"],
      [["include", '"lib/b.h"', ""], "other/lib/b.h"],
      [["module", "<stdio.h>", ""]],
    ],
  },
  "C++: headers of C++ too": {
    tree: { "a.cpp": "", "include/x.hpp": "", "include/y.h": "" },
    from: "a.cpp",
    leads: [
      [["include", '"x.hpp"', ""], "include/x.hpp"],
      [["module", "<y.h>", ""], "include/y.h"],
    ],
  },
  "C#: every file of a namespace": {
    tree: { "A.cs": "Shop", "Db/Open.cs": "Shop.Db", "Db/Read.cs": "Shop.Db" },
    from: "A.cs",
    leads: [["Shop.Db", "Db/Open.cs", "Db/Read.cs"], ["System.Linq"]],
  },
  "Ruby: require from lib, require_relative from the file": {
    tree: { "lib/shop/cart.rb": "", "lib/shop.rb": "", "app/run.rb": "", "app/view.rb": "" },
    from: "app/run.rb",
    leads: [
      ["shop/cart", "lib/shop/cart.rb"],
      ["shop", "lib/shop.rb"],
      [["relative", "view", ""], "app/view.rb"],
      [["relative", "../lib/shop", ""], "lib/shop.rb"],
      ["json"],
    ],
  },
  "PHP: by namespace, by composer.json's folders, by path": {
    tree: {
      "composer.json": '{"autoload":{"psr-4":{"App\\\\":"src/"}}}',
      "src/Cart/Cart.php": "App\\Cart",
      "src/Placed.php": "",
      "helpers.php": "",
      "index.php": "",
    },
    from: "index.php",
    leads: [
      ["App\\Cart\\Cart", "src/Cart/Cart.php"],
      [["module", "App\\Cart", "Cart"], "src/Cart/Cart.php"],
      ["\\App\\Placed", "src/Placed.php"],
      [["include", "__DIR__ . '/helpers.php'", ""], "helpers.php"],
      ["Psr\\Log"],
    ],
  },
};

describe("WRK-5.2 where imports lead", () => {
  test.each(Object.entries(CASES))("WRK-5.2 %s", (_, tree) => {
    expect(leadsOf(tree).map((found) => [...found].sort())).toEqual(tree.leads.map(([, ...files]) => files.sort()));
    shows("WRK-5.2", 5);
  });

  test("a use tree is every path in it", () => {
    expect(useTree("a::{b, c::{self, d as e}, *}")).toEqual([["a", "b"], ["a", "c"], ["a", "c", "d"], ["a"]]);
    expect(useTree("a::{b")).toEqual([["a", "b"]]);
  });
});
