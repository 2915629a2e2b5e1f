import { parseSync } from 'vite'

/** One Russian word for one thing in what people read: «Words for people» in docs/glossary.md. */
const instead: [found: RegExp, better: string][] = [
  [/бесед(?!к|ова|ник)/, 'чат'],
  [/поставщик/, 'провайдер'],
  [/множител/, 'коэффициент'],
  // These phrases mean a rate: a plan («тариф») has no question or answer and is neither high nor low.
  [/тариф[а-яё]* (?:вопроса|ответа|входа|выхода|текста|модели)/, 'коэффициент'],
  [/(?:высок|низк)[а-яё]+ тариф|по тариф[а-яё]+ \d/, 'коэффициент'],
  [/тарифн[а-яё]+ план/, 'тариф'],
  [/пакет[а-яё]* токенов|токен[а-яё]* на баланс/, 'пакет символов'],
  [/закупк/, 'себестоимость'],
  [/чат-?бот|виртуальн[а-яё]+ помощник/, 'ассистент'],
  [/шаблон[а-яё]* (?:запрос|вопрос)/, 'промпт'],
]
const rules = instead.map(([found, better]) => ({
  found: new RegExp(`(?<![а-яё])(?:${found.source})[а-яё]*`, 'i'),
  better,
}))

/** Texts of the specification, texts for a model, and words typed into a search: [file, text]. */
const allowed: [RegExp, RegExp][] = [
  [/./, /^У вас нет беседы с таким ID$/],
  [
    /^contract\/users\.ts$|^server\/(?:llm\/demo-prompts|features\/threads\/title)\.ts$|^server\/features\/demo\//,
    /название/,
  ],
  [/^web\/app\/frame\/palette\.tsx$|^web\/features\/index\.ts$|^server\/features\/knowledge\/terms\.ts$/, /./],
  [/^content\/help\//, /^words: /],
]

/** Headings name a thing; questions belong to the reader. */
const QUESTION =
  /^(?:Кто|Что|Чей|Чья|Чьи|Как|Сколько|Откуда|Куда|Когда|Почему|Зачем|Кому|С чем|С чего|За что|О ч[её]м)(?: [а-яё]+){0,4}$/
const SECTIONS = new Set(['FormSection', 'Section', 'CardSection', 'PanelSection', 'FigureList', 'h1', 'h2', 'h3'])

/** «42  беседа → чат» for each text of a file to change. */
export function wrongWords(file: string, source: string): string[] {
  const texts = file.endsWith('.md') ? readLines(source) : readTexts(file, source)
  return texts.flatMap(({ line, text, isHeading }) => {
    if (allowed.some(([path, words]) => path.test(file) && words.test(text))) return []
    const words = rules.flatMap(({ found, better }) => {
      const word = found.exec(text)?.[0]
      return word ? [`${line}  ${word} → ${better}`] : []
    })
    return isHeading && QUESTION.test(text) ? [...words, `${line}  «${text}» → a noun`] : words
  })
}

interface Text {
  line: number
  text: string
  isHeading: boolean
}

const readLines = (source: string): Text[] =>
  source.split('\n').map((text, i) => ({ line: i + 1, text, isHeading: false }))

interface Node {
  type: string
  start: number
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Every literal of a program and the text between its tags; comments are not for people. */
function readTexts(file: string, source: string): Text[] {
  const texts: Text[] = []
  const visit = (node: Node, parents: Node[]) => {
    const text = textOf(node)
    if (text && /[а-яё]/i.test(text))
      texts.push({ line: source.slice(0, node.start).split('\n').length, text, isHeading: isHeading(parents) })
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, [node, ...parents])
  }
  visit(parseSync(file, source).program as unknown as Node, [])
  return texts
}

function textOf({ type, value }: Node): string | null {
  if (type === 'TemplateElement') return (value as { cooked: string }).cooked
  return (type === 'Literal' || type === 'JSXText') && typeof value === 'string' ? value.trim() : null
}

/** The title of a section, or of a column: an object with a title and a cell. */
function isHeading([parent, holder]: Node[]): boolean {
  if (parent?.type === 'JSXElement') return SECTIONS.has(tagOf(parent.openingElement))
  if (parent?.type === 'JSXAttribute') return nameOf(parent.name) === 'title' && SECTIONS.has(tagOf(holder))
  if (!holder || parent?.type !== 'Property' || nameOf(parent.key) !== 'title') return false
  return (holder.properties as Node[]).some(({ key }) => nameOf(key) === 'cell')
}

const nameOf = (node: unknown) => (isNode(node) ? String(node.name) : '')
const tagOf = (element: unknown) => (isNode(element) ? nameOf(element.name) : '')
