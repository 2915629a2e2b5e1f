/** The text selected inside a message; empty if the selection includes the thought, which is not part of the answer. */
export function selectedIn(messageId: string): string {
  const selection = getSelection()
  const row = document.getElementById(rowId(messageId))
  if (!selection || selection.isCollapsed || !row) return ''
  const isInside = row.contains(selection.anchorNode) && row.contains(selection.focusNode)
  const thought = row.querySelector('[data-thought]')
  const isThought = thought !== null && selection.getRangeAt(0).intersectsNode(thought)
  return isInside && !isThought ? selection.toString().trim() : ''
}

export function rowId(messageId: string): string {
  return `message-${messageId}`
}
