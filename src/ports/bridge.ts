/** A place in a frame: pixels from its top left corner, whole numbers, below its width and height. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A picture of the screen: what the agent saw. Coordinates of an action are told in pixels of this very frame. */
export interface Frame {
  /** a whole PNG */
  readonly png: Uint8Array;
  /** pixels, read from the PNG's header, never from what the device says of itself */
  readonly width: number;
  readonly height: number;
  /** milliseconds of the clock when it was taken */
  readonly takenAt: number;
  /** every pixel is black: a window that forbids pictures, probably; the tree is still true */
  readonly isBlack: boolean;
}

/** One element of what the screen shows, as its accessibility service tells it. */
export interface ScreenNode {
  /** in pixels of the frame */
  readonly bounds: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /** its class or role: android.widget.EditText, textbox */
  readonly role: string;
  readonly text: string;
  /** what it is called for those who do not see it */
  readonly label: string;
  readonly isClickable: boolean;
  readonly isFocused: boolean;
  readonly isEditable: boolean;
  readonly children: readonly ScreenNode[];
}

/** What a bridge can do beyond the touches that all have. */
export interface BridgeAbilities {
  /** `tree` gives something */
  readonly tree: boolean;
  /** `home` and `recent` mean something (a browser has its first page for home, and no recent) */
  readonly recent: boolean;
  /** the other end can go away and come back */
  readonly reconnects: boolean;
}

/** Whether the other end can be reached; `advice` says what a person can do. */
export type BridgeState =
  | { readonly kind: "ready" }
  | { readonly kind: "gone" | "offline" | "unauthorized"; readonly advice: string };

/**
 * Hands and eyes on one screen.
 *
 * Contract: one call at a time. Every call takes a signal and ends within 2 s of its abort (CANCELLED). A call that the
 * other end refused throws SCREEN_REFUSED, and nothing happened; one whose answer never came throws SCREEN_UNSURE: it may
 * have happened, nobody repeats it blindly; a lost connection is SCREEN_GONE (retryable). A capture that failed is
 * CAPTURE_FAILED, never an invented picture. Points outside `frame` are the caller's fault and refused (SCREEN_REFUSED).
 * `close` gives back what was changed (input method, emulation), also after a failure, and can be called twice.
 * Source: device-executor.md; architecture 11.
 */
export interface Bridge {
  /** as the user named it: adb:SERIAL, browser:URL, replay:FOLDER */
  readonly target: string;
  readonly abilities: BridgeAbilities;
  capture(signal: AbortSignal): Promise<Frame>;
  /** null: none to be had this time (an animation, a window without one); never an exception for that */
  tree(frame: Frame, signal: AbortSignal): Promise<ScreenNode | null>;
  tap(at: Point, frame: Frame, signal: AbortSignal): Promise<void>;
  doubleTap(at: Point, frame: Frame, signal: AbortSignal): Promise<void>;
  /** `ms`: how long the finger stays, 1 to 60000 */
  longPress(at: Point, ms: number, frame: Frame, signal: AbortSignal): Promise<void>;
  /** resolves when the finger is up again, after `ms` (1 to 60000) */
  swipe(from: Point, to: Point, ms: number, frame: Frame, signal: AbortSignal): Promise<void>;
  /** into what has the focus; any text, also of several lines */
  type(text: string, signal: AbortSignal): Promise<void>;
  back(signal: AbortSignal): Promise<void>;
  home(signal: AbortSignal): Promise<void>;
  recent(signal: AbortSignal): Promise<void>;
  enter(signal: AbortSignal): Promise<void>;
  /** an app's package or name; a browser's address */
  open(app: string, signal: AbortSignal): Promise<void>;
  state(signal: AbortSignal): Promise<BridgeState>;
  /** Waits up to `withinMs` for the other end to come back, by being told, not by asking again and again. */
  reconnect(withinMs: number, signal: AbortSignal): Promise<BridgeState>;
  close(): Promise<void>;
}
