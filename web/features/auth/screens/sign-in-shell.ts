/** What the sign-in page takes over from its shell, beside the question (web/lib/shell.ts). */

const find = (selector: string) => document.querySelector(`#shell ${selector}`)

/** The address that was typed before the scripts ran, and whether it is still being typed. */
export function typedEmail(): { email: string; isFocused: boolean } | null {
  const field = find('input')
  return field instanceof HTMLInputElement ? { email: field.value, isFocused: field === document.activeElement } : null
}

/** A part that the page takes over as it is, without the code that drew it. */
export const shellPart = (name: string): Element | null => find(`[data-part="${name}"]`)

/** The other ways to sign in were unfolded before the scripts ran. */
export const isUnfolded = (): boolean => find('details[open]') !== null

/** A document that was ticked before the scripts ran. */
export const isTickedEarly = (kind: string): boolean => find(`[data-document="${kind}"] :checked`) !== null
