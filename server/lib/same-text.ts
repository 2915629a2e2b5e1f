import { timingSafeEqual } from 'node:crypto'

/** Compares secrets without telling by the time it takes how much of them was right. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
