interface Key {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** What was typed so far with one more key: for somebody who types faster than the palette loads. Null is giving up. */
export function typeAhead(text: string, { key, ctrlKey, metaKey, altKey }: Key): string | null {
  if (key === 'Escape') return null
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  const isLetter = [...key].length === 1 && !ctrlKey && !metaKey && !altKey
  return isLetter ? text + key : text
}
