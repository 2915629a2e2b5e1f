interface Key {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** Adds a key to the text typed before the palette is loaded. Null when Esc cancels it. */
export function typeAhead(text: string, { key, ctrlKey, metaKey, altKey }: Key): string | null {
  if (key === 'Escape') return null
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  const isCharacter = [...key].length === 1 && !ctrlKey && !metaKey && !altKey
  return isCharacter ? text + key : text
}
