interface Key {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  isComposing: boolean
  /** 229 while Safari ends a composed word. */
  keyCode: number
}

/** Whether a key sends the message. A word that is still being composed is only taken by Enter. */
export function sends(
  { key, shiftKey, ctrlKey, metaKey, isComposing, keyCode }: Key,
  { enterSends, isTouch }: { enterSends: boolean; isTouch: boolean },
): boolean {
  if (key !== 'Enter' || isComposing || keyCode === 229) return false
  if (ctrlKey || metaKey) return true
  if (isTouch) return false
  return shiftKey !== enterSends
}
