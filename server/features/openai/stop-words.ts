/** Cuts a stream of text before the first of the words. A model may ignore its own stop parameter. */
export function cutAtStop(stops: readonly string[] = []) {
  const searches = stops.map(searchFor)
  let held = ''
  let isStopped = false
  const longest = (length: (search: Search) => number) =>
    searches.reduce((most, search) => Math.max(most, length(search)), 0)

  return {
    isStopped: () => isStopped,
    /** What can be delivered. */
    push: (text: string): string => {
      if (searches.length === 0) return text
      if (isStopped) return ''
      const whole = held + text
      for (let at = held.length; at < whole.length; at += 1) {
        const code = whole.charCodeAt(at)
        const found = longest((search) => search.take(code))
        if (found === 0) continue
        isStopped = true
        held = ''
        return whole.slice(0, at + 1 - found)
      }
      const keep = longest((search) => search.begun())
      held = whole.slice(whole.length - keep)
      return whole.slice(0, whole.length - keep)
    },
    /** What was held back, when nothing follows. */
    rest: (): string => {
      const text = held
      held = ''
      return text
    },
  }
}

type Search = ReturnType<typeof searchFor>

/** Knuth, Morris and Pratt: each character is looked at once, however much of the word is held back. */
function searchFor(word: string) {
  /** For each length of a beginning: the length of the longest beginning of the word that it ends with. */
  const shorter = [0]
  let begun = 0

  const longer = (from: number, code: number): number => {
    let length = from
    while (length > 0 && word.charCodeAt(length) !== code) length = shorter[length - 1] ?? 0
    return word.charCodeAt(length) === code ? length + 1 : 0
  }
  for (let at = 1; at < word.length; at += 1) shorter.push(longer(shorter[at - 1] ?? 0, word.charCodeAt(at)))

  return {
    /** The length of the word when it ends with this character, else 0. */
    take: (code: number): number => {
      begun = longer(begun, code)
      return begun === word.length ? begun : 0
    },
    /** How many of the last characters may be the beginning of the word. */
    begun: () => begun,
  }
}
