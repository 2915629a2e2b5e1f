/** Circles of imports: the shortest one through each file that is in none of the circles found before. */
export function circlesIn(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const known = new Set<string>()
  return [...arrows.keys()].toSorted().flatMap((file) => {
    const circle = known.has(file) ? null : wayBack(arrows, file)
    for (const each of circle ?? []) known.add(each)
    return circle ? [circle] : []
  })
}

/** The shortest way from a file to itself; null without one. */
function wayBack(arrows: ReadonlyMap<string, readonly string[]>, start: string): string[] | null {
  const ways = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const to of arrows.get(way.at(-1) ?? '') ?? []) {
      if (to === start) return way
      if (seen.has(to) || !arrows.has(to)) continue
      seen.add(to)
      ways.push([...way, to])
    }
  }
  return null
}
