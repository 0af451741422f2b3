import type { App, Field, Widget } from "./app.ts";

const WHITE = 0xffffff;
const GOODS = ["red kettle", "blue kettle", "teapot", "mug", "spoon", "lamp", "chair", "rope", "map", "boat"];
export const ROW = 60;

/** What a shop's visitor did, for tests to ask. */
export interface Shop extends App {
  readonly search: Field;
  readonly note: Field;
  /** how often its button was tapped, and held */
  readonly pressed: { taps: number; holds: number };
  /** which row the list shows first */
  readonly first: () => number;
  /** the good whose page shows; null: the list */
  readonly page: () => string | null;
  readonly searches: string[];
  /** as it was before anybody came */
  clear(): void;
}

/** A search field, a button, a list of 100 goods of which some show, and a page for each. */
export function shop(): Shop {
  const search: Field = { text: "" };
  const note: Field = { text: "" };
  const pressed = { taps: 0, holds: 0 };
  const searches: string[] = [];
  const goods = Array.from({ length: 100 }, (_, i) => (i < GOODS.length ? GOODS[i]! : `${GOODS[i % 10]} ${i}`));
  let first = 0;
  let page: string | null = null;
  const find = (): void => {
    searches.push(search.text);
    first = 0;
  };
  const list = (width: number, height: number): readonly Widget[] => {
    const found = goods.filter((name) => searches.length === 0 || name.includes(searches.at(-1)!));
    const rows = found.slice(first, first + Math.floor((height - 120) / ROW));
    return rows.map((text, i) => ({
      class: "android.widget.TextView",
      id: "good",
      text,
      colour: (first + i) % 2 ? 0xf1f3f4 : 0xe8eaed,
      bounds: { left: 0, top: 120 + i * ROW, right: width, bottom: 120 + (i + 1) * ROW },
      onTap: () => {
        page = text;
      },
    }));
  };
  const front = (width: number, height: number): readonly Widget[] => [
    {
      class: "android.widget.EditText",
      id: "search",
      label: "Search goods",
      field: search,
      colour: WHITE,
      bounds: { left: 10, top: 40, right: width - 100, bottom: 90 },
    },
    {
      class: "android.widget.Button",
      id: "find",
      text: "find",
      label: `Find, ${pressed.taps} times`,
      colour: 0x34a853 + pressed.taps * 8,
      bounds: { left: width - 90, top: 40, right: width - 10, bottom: 90 },
      onTap: () => {
        pressed.taps++;
        find();
      },
      onLongPress: () => pressed.holds++,
    },
    {
      class: "androidx.recyclerview.widget.RecyclerView",
      id: "goods",
      isScrollable: true,
      colour: WHITE,
      bounds: { left: 0, top: 120, right: width, bottom: height },
      children: list(width, height),
    },
  ];
  const detail = (width: number, height: number): readonly Widget[] => [
    {
      class: "android.widget.TextView",
      id: "name",
      text: page ?? "",
      colour: 0xfbbc04,
      bounds: box(10, 40, width - 10, 90),
    },
    {
      class: "android.widget.EditText",
      id: "note",
      label: "Note to the seller",
      field: note,
      colour: WHITE,
      bounds: box(10, 120, width - 10, Math.min(height, 260)),
    },
  ];
  return {
    package: "com.example.shop",
    activity: ".FrontActivity",
    label: "Shop",
    search,
    note,
    pressed,
    searches,
    first: () => first,
    page: () => page,
    window: ({ width, height }) => (page === null ? front(width, height) : detail(width, height)),
    scroll(dy) {
      if (page === null) first = Math.min(goods.length - 1, Math.max(0, first - Math.trunc(dy / ROW)));
    },
    back() {
      if (page === null) return false;
      page = null;
      return true;
    },
    enter(field) {
      if (field === search) find();
      else if (field) field.text += "\n";
    },
    start() {
      page = null;
    },
    clear() {
      [search.text, note.text, pressed.taps, pressed.holds, searches.length] = ["", "", 0, 0, 0];
      first = 0;
      page = null;
    },
  };
}

const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });

/** Switches and no text. */
export function settingsApp(): App & { readonly isOn: () => boolean } {
  let on = false;
  return {
    package: "com.android.settings",
    activity: ".Settings$HomeActivity",
    label: "Settings",
    isOn: () => on,
    window: ({ width }) => [
      { class: "android.widget.TextView", text: "settings", colour: WHITE, bounds: box(0, 30, width, 80) },
      {
        class: "android.widget.Switch",
        id: "wifi",
        text: on ? "wifi on" : "wifi off",
        colour: on ? 0x1a73e8 : 0xdadce0,
        bounds: box(0, 100, width, 160),
        onTap: () => {
          on = !on;
        },
      },
    ],
  };
}

/** Its window forbids pictures: FLAG_SECURE. */
export const bank = (): App => ({
  package: "com.example.bank",
  activity: ".VaultActivity",
  label: "Bank",
  isSecure: true,
  window: ({ width }) => [
    {
      class: "android.widget.TextView",
      id: "balance",
      text: "balance 12.00",
      colour: WHITE,
      bounds: box(0, 40, width, 100),
    },
  ],
});

export function launcher(apps: readonly App[], open: (app: App) => void): App {
  return {
    package: "com.android.launcher3",
    activity: ".Launcher",
    label: "Launcher",
    window: ({ width, height }) =>
      apps.map((app, i) => ({
        class: "android.widget.TextView",
        text: app.label,
        label: app.label,
        colour: [0xea4335, 0x4285f4, 0x34a853][i % 3]!,
        ink: WHITE,
        bounds: box(20 + (i * width) / 3, height - 100, (i * width) / 3 + width / 3 - 20, height - 20),
        onTap: () => open(app),
      })),
    back: () => true,
  };
}
