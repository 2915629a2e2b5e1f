const MAX_NAME = 200
const NAMELESS = 'Файл без имени'

/** A name fit to be shown and sent: the last part of a path, one line, nothing that hides or turns letters around. */
export function safeFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return shorten(plain.replace(/^\.+$/, '')) || NAMELESS
}

export function extensionOf(name: string): string {
  return /\.([\p{L}\p{N}]{1,10})$/u.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** Cuts the middle out, so that the extension stays. */
function shorten(name: string): string {
  const emails = [...name]
  if (emails.length <= MAX_NAME) return name
  const end = emails.slice(-20)
  return [...emails.slice(0, MAX_NAME - end.length - 1), '…', ...end].join('')
}
