const MAX_NAME = 200
const NAMELESS = 'Файл без имени'

/** A name that is safe to show and send: the last part of a path, in one line, without invisible or bidi characters. */
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

/** Removes the middle, so that the extension stays. */
function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_NAME) return name
  const end = characters.slice(-20)
  return [...characters.slice(0, MAX_NAME - end.length - 1), '…', ...end].join('')
}
