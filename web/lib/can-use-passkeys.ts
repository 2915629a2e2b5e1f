/** The browser does the conversions itself; one that cannot is not offered passkeys. */
export function canUsePasskeys(): boolean {
  return 'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {})
}
