import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import type { Message, ThreadWithMessages } from '#contract/threads.ts'
import { Bubble } from '#web/features/chat/messages/bubble.tsx'
import { estimateRowHeight } from '#web/features/chat/messages/skipped-rows.ts'
import { Markdown } from '#web/ui/markdown/markdown.tsx'
import { markupCost } from '#web/ui/markdown/parse/markup-cost.ts'
import { bytesOf, createTextCache } from '#web/ui/markdown/text-cache.ts'

/** Taller than the messages on a screen that people have. */
const ENOUGH_PX = 1600
/** More of a text is not on the screen, and would take time of the server. */
const LONG_TEXT = 5000
const END_OF_TEXT = 4000
/** Of all messages; ordinary ones take half of it. What takes more is drawn by the page. */
const MAX_COST = 90
const MAX_HTML = 200_000

/**
 * The title and the last messages of a chat, for the layout of its page: they are read while the scripts load. Drawn by
 * the components of the page, with the same heights; buttons and notes come with the page itself.
 */
export function drawThread({ title, Messages, temporary }: ThreadWithMessages, hasOlder: boolean): string {
  const rows = temporary ? [] : lastRows(Messages, hasOlder)
  const html = drawRows(rows)
  if (html === '') return ''
  return renderToStaticMarkup(
    <>
      <header
        data-slot="head"
        className="sticky top-0 z-20 flex h-12 items-center gap-1 border-b border-transparent bg-page px-4 max-frame:hidden"
      >
        <h1 className="min-w-0 flex-1">
          <span className="inline-block max-w-full truncate px-2 py-1 align-top font-medium">{title}</span>
        </h1>
      </header>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: each row is drawn by React below */}
      <ol data-slot="rows" className="flex flex-col" dangerouslySetInnerHTML={{ __html: html }} />
    </>,
  )
}

/** HTML of rows: most chats are opened more than once, and the words of a deleted one do not stay in memory. */
const drawnRows = createTextCache<string>({ maxBytes: 8_000_000, weigh: bytesOf, keptMs: 10 * 60_000 })

/** Empty when it would hold up the server, or the page while it comes. */
function drawRows(rows: readonly Message[]): string {
  let [cost, length] = [0, 0]
  const drawn: string[] = []
  for (const { role, content } of rows) {
    const key = role + content
    const known = drawnRows.get(key)
    if (known === undefined && role === 'assistant') cost += markupCost(content).whole
    if (cost > MAX_COST) return ''
    const html = known ?? drawRow(role, content)
    length += html.length
    if (length > MAX_HTML) return ''
    if (known === undefined) drawnRows.set(key, html)
    drawn.push(html)
  }
  return drawn.join('')
}

function drawRow(role: Message['role'], content: string): string {
  const html = renderToStaticMarkup(
    <Router ssrPath="/">
      <li className="px-4 py-2">
        <Row role={role} content={content} />
      </li>
    </Router>,
  )
  // React joins thousands of strings, and all of them stay in memory until the whole is copied.
  return new TextDecoder().decode(new TextEncoder().encode(html))
}

/** Empty when they would not fill the screen although the chat has more: they would stand at another place. */
function lastRows(messages: readonly Message[], hasOlder: boolean): Message[] {
  const rows: Message[] = []
  let height = 0
  for (const message of messages.toReversed()) {
    const content = endOf(message.content)
    if (content === null) return []
    const row = { ...message, content }
    rows.unshift(row)
    height += estimateRowHeight(row)
    if (height > ENOUGH_PX) return rows
    if (content.length < message.content.length) return []
  }
  return hasOlder ? [] : rows
}

/** The end of a long text, from the beginning of a paragraph; null when that would be inside of code. */
function endOf(text: string): string | null {
  if (text.length <= LONG_TEXT) return text
  const from = text.indexOf('\n\n', text.length - END_OF_TEXT)
  if (from < 0) return null
  const fences = text.slice(0, from).match(/^ {0,3}(```|~~~)/gm) ?? []
  return fences.length % 2 === 0 ? text.slice(from + 2) : null
}

const toolsHeight = 'h-8 max-frame:h-11 pointer-coarse:h-11'
/** On a narrow screen the buttons of an answer take two lines. */
const answerToolsHeight = `${toolsHeight} max-sm:h-22`

function Row({ role, content }: Pick<Message, 'role' | 'content'>) {
  if (role === 'user')
    return (
      <div className="flex flex-col items-end">
        {content !== '' && <Bubble text={content} />}
        <div className={`mt-1 ${toolsHeight}`} />
      </div>
    )
  return (
    <>
      <Markdown text={content} />
      <div className={`mt-1.5 ${answerToolsHeight}`} />
    </>
  )
}
