/** The index that a key moves to in a list; null for keys that do not move. */
export function moveInList(key: string, active: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (active + 1) % count
    case 'ArrowUp':
      return (active - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
