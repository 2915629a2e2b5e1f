const BEGIN = /^:::writing(?:\{(.*)\})?\s*$/
const END = /^:::\s*$/
const FENCE = /^\s*(?:```|~~~)/
const TITLE = /(?:^|\s)(?:title|subject)="([^"]*)"/

/** ChatGPT puts letters and the like between `:::writing{…}` and `:::`. The text stays, with its title. */
export function withoutWritingMarks(text: string): string {
  if (!text.includes(':::writing')) return text
  let [isOpen, isCode] = [false, false]
  const lines = text.split('\n').flatMap((line) => {
    if (FENCE.test(line)) isCode = !isCode
    if (isCode) return [line]
    const begin = BEGIN.exec(line)
    if (begin) isOpen = true
    else if (isOpen && END.test(line)) isOpen = false
    else return [line]
    const title = TITLE.exec(begin?.[1] ?? '')?.[1] ?? ''
    return title === '' ? [''] : ['', `**${title}**`, '']
  })
  return lines.join('\n').trim()
}
