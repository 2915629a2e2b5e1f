/** A place in the text of a segment. */
export interface Hit {
  segment: number
  from: number
  to: number
}

/** Case and «ё» do not matter. Folding changes no length, so places in both texts are the same. */
const fold = (text: string) => [...text].map(foldSign).join('')

function foldSign(sign: string): string {
  const lower = sign.toLowerCase()
  return lower.length === sign.length ? lower.replace('ё', 'е') : sign
}

export function findHits(segments: readonly { text: string }[], query: string): Hit[] {
  const wanted = fold(query.trim())
  if (wanted === '') return []
  return segments.flatMap(({ text }, segment) => {
    const hits: Hit[] = []
    const folded = fold(text)
    for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length))
      hits.push({ segment, from: at, to: at + wanted.length })
    return hits
  })
}
