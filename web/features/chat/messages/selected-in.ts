/** The text selected inside a message. */
export function selectedIn(messageId: string): string {
  const selection = getSelection()
  const row = document.getElementById(rowId(messageId))
  if (!selection || selection.isCollapsed || !row) return ''
  const isInside = row.contains(selection.anchorNode) && row.contains(selection.focusNode)
  return isInside ? selection.toString().trim() : ''
}

export function rowId(messageId: string): string {
  return `message-${messageId}`
}
