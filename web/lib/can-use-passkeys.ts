/** Passkeys need the browser's own JSON conversions; other browsers are not offered them. */
export function canUsePasskeys(): boolean {
  return 'parseRequestOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {})
}
