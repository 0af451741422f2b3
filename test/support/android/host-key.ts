import { constants, createPublicKey, type KeyObject, publicDecrypt } from "node:crypto";

/** What SHA-1 digests are wrapped in before they are signed (RFC 8017, 9.2). */
const SHA1_PREFIX = Buffer.from("3021300906052b0e03021a05000414", "hex");
/** 2048 bits */
const MODULUS_BYTES = 256;

/**
 * A host's public key as adb sends it: base64 of {words of the modulus, n0inv, modulus, R^2, exponent}, all
 * little-endian, then a space and who it is of (android_pubkey.cpp of the Android sources).
 */
export function readHostKey(sent: Buffer): KeyObject {
  const bytes = Buffer.from(sent.toString("latin1").split(/[ \0]/)[0]!, "base64");
  if (bytes.readUInt32LE(0) * 4 !== MODULUS_BYTES) throw new Error("not a host key of 2048 bits");
  const modulus = Buffer.from(bytes.subarray(8, 8 + MODULUS_BYTES)).reverse();
  const exponent = Buffer.alloc(4);
  exponent.writeUInt32BE(bytes.readUInt32LE(8 + 2 * MODULUS_BYTES));
  const key = { kty: "RSA", n: modulus.toString("base64url"), e: exponent.toString("base64url") };
  return createPublicKey({ key, format: "jwk" });
}

/** The token stands in for a SHA-1 digest: it is signed as it is. */
export function hasSigned(key: KeyObject, token: Buffer, signature: Buffer): boolean {
  try {
    const signed = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
    return signed.equals(Buffer.concat([SHA1_PREFIX, token]));
  } catch {
    return false;
  }
}
