const letters = new Map(
  Object.entries({
    а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'e', ж: 'zh', з: 'z', и: 'i', й: 'y', к: 'k', л: 'l', м: 'm',
    н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'h', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'sch',
    ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya',
  }),
)

/** A heading's own address in Latin letters: a Cyrillic one turns into percent signs as soon as it is copied. */
export function headingId(text: string, taken: ReadonlySet<string>): string {
  const latin = [...text.toLowerCase()].map((letter) => letters.get(letter) ?? letter).join('')
  const id = latin.match(/[a-z0-9]+/g)?.join('-') ?? 'section'
  for (let n = 2; ; n += 1) {
    const free = n === 2 ? id : `${id}-${n - 1}`
    if (!taken.has(free)) return free
  }
}
