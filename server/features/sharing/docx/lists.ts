const LEVELS = 9
const STEP = 425
const BULLETS = ['•', '◦', '▪']

/** The numbered lists of a document: each counts for itself. Bullets are all one list. */
export interface Lists {
  /** A new list that counts from `start` on the given level; its number in the document. */
  count: (level: number, start: number) => number
  /** The part of the document that describes its lists. */
  xml: () => string
}

export const BULLET_LIST = 1
/** How far a level of a list stands from the margin. */
export const indentOf = (level: number) => STEP * (level + 1)
export const deepest = (level: number) => Math.min(level, LEVELS - 1)

export function createLists(): Lists {
  const counted: string[] = []
  return {
    count: (level, start) => {
      const id = counted.length + BULLET_LIST + 1
      const from = `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`
      counted.push(`<w:num w:numId="${id}"><w:abstractNumId w:val="2"/>${from}</w:num>`)
      return id
    },
    xml: () =>
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` +
      `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
      kind(1, (level) => ['bullet', BULLETS[level % BULLETS.length] ?? '']) +
      kind(2, (level) => ['decimal', `%${level + 1}.`]) +
      `<w:num w:numId="${BULLET_LIST}"><w:abstractNumId w:val="1"/></w:num>${counted.join('')}</w:numbering>`,
  }
}

function kind(id: number, signs: (level: number) => [format: string, text: string]): string {
  const levels = Array.from({ length: LEVELS }, (_, level) => {
    const [format, text] = signs(level)
    const place = `<w:pPr><w:ind w:left="${indentOf(level)}" w:hanging="${STEP}"/></w:pPr>`
    return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/>${place}</w:lvl>`
  })
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${levels.join('')}</w:abstractNum>`
}
