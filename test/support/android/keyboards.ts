export const LATIN = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME";
export const ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME";

/** The input methods of a device: which are there, which may be chosen, which one is. */
export class Keyboards {
  installed: string[] = [LATIN];
  enabled: string[] = [LATIN];
  current = LATIN;
  /** so many more commands of `ime` do not know what was just installed */
  unknownFor = 0;
  /** how many looks (`dumpsys input_method`) a newly chosen one takes until it is bound and hears broadcasts */
  looksToBind = 1;
  /** a vendor's system that lets nobody list them */
  isListForbidden = false;
  #looksLeft = 0;

  install(id: string): void {
    this.installed.push(id);
  }

  knows(id: string): boolean {
    if (this.unknownFor > 0) {
      this.unknownFor--;
      return false;
    }
    return this.installed.includes(id);
  }

  enable(id: string): void {
    if (!this.enabled.includes(id)) this.enabled.push(id);
  }

  disable(id: string): void {
    this.enabled = this.enabled.filter((each) => each !== id);
    if (this.current === id) this.choose(LATIN);
  }

  choose(id: string): void {
    if (this.current !== id) this.#looksLeft = this.looksToBind;
    this.current = id;
  }

  look(): { isBound: boolean } {
    const isBound = this.#looksLeft === 0;
    if (!isBound) this.#looksLeft--;
    return { isBound };
  }

  /** what is typed at this broadcast (base64 of UTF-8); nobody hears it while another one is chosen, or none is bound */
  hear(action: string, extras: ReadonlyMap<string, string>): string {
    if (this.current !== ADB_KEYBOARD || this.#looksLeft > 0 || action !== "ADB_INPUT_B64") return "";
    return Buffer.from(extras.get("msg") ?? "", "base64").toString("utf8");
  }
}
