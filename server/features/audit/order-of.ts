/** A new order in names that people know. */
export function orderOf(before: { name: string }[], after: { name: string }[]) {
  return { before: { order: before.map(({ name }) => name) }, after: { order: after.map(({ name }) => name) } }
}
