import type { Blockquote, Heading, List, ListItem, RootContent, Table, TableCell, TableRow } from 'mdast'
import { memo, type ReactNode } from 'react'
import { noteTitles } from '#contract/markdown/extras.ts'
import { AnswerImage } from './answer-image.tsx'
import { AnswerLink } from './answer-link.tsx'
import { type Citations, type CitedPart, citedParts, mayCite, useCitations } from './citations.ts'
import { CodeBlock } from './code/code-block.tsx'
import { CutTable, shownOf } from './cut-table.tsx'
import { Formula } from './formula/formula.tsx'
import { PENDING } from './parse/dangling-inline.ts'
import { FootnoteReference, ReferenceImage, ReferenceLink } from './references.tsx'

/**
 * Maps each kind of node to a fixed element: a text cannot choose an element or an attribute, so it cannot inject any.
 * `isLive` is true inside a block of code that is still being written.
 */
export function renderNode(node: RootContent, key: number, isLive: boolean): ReactNode {
  switch (node.type) {
    case 'text':
      return renderText(node.value.replaceAll(PENDING, ''), key)
    case 'html':
      return /^<br\s*\/?>$/i.test(node.value) ? <br key={key} /> : node.value
    case 'break':
      return <br key={key} />
    case 'paragraph':
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'subscript':
    case 'superscript':
      return renderSimple(node, key, isLive)
    case 'blockquote':
      return <QuoteView key={key} node={node} isLive={isLive} />
    case 'inlineCode':
      return <code key={key}>{node.value}</code>
    case 'heading':
      return <HeadingView key={key} node={node} isLive={isLive} />
    case 'thematicBreak':
      return <hr key={key} />
    case 'list':
      return <ListView key={key} node={node} isLive={isLive} />
    case 'table':
      return <TableView key={key} node={node} isLive={isLive} />
    case 'code':
      return <CodeBlock key={key} code={node.value} language={node.lang ?? null} isLive={isLive} />
    default:
      return renderReference(node, key, isLive)
  }
}

const renderText = (text: string, key: number) => (mayCite(text) ? <CitedText key={key} text={text} /> : text)

/** Text with numbers in brackets; each number that has a source is a button. */
function CitedText({ text }: { text: string }) {
  const citations = useCitations()
  if (!citations) return text
  return citedParts(text).map((part, i) => renderCitedPart(part, i, citations))
}

function renderCitedPart(part: CitedPart, key: number, { name, open }: Citations) {
  const known = 'numbers' in part ? part.numbers.filter((n) => name(n) !== null) : []
  if (known.length === 0) return part.text
  return (
    <span key={key} className="citations">
      {known.map((n) => (
        <button
          key={n}
          type="button"
          className="citation"
          aria-label={`Источник ${n}: ${name(n)}`}
          title={name(n) ?? undefined}
          onClick={() => open(n)}
        >
          {n}
        </button>
      ))}
    </span>
  )
}

const simple = {
  paragraph: 'p',
  emphasis: 'em',
  strong: 'strong',
  delete: 'del',
  subscript: 'sub',
  superscript: 'sup',
} as const

function renderSimple(node: RootContent & { type: keyof typeof simple }, key: number, isLive: boolean): ReactNode {
  const Tag = simple[node.type]
  return <Tag key={key}>{renderNodes(node.children, isLive)}</Tag>
}

/** A quote, or a note with its title. The element stays the same when a quote turns out to be a note. */
function QuoteView({ node, isLive }: { node: Blockquote; isLive: boolean }) {
  return (
    <blockquote data-note={node.note}>
      {node.note && <p className="note-title">{noteTitles[node.note]}</p>}
      {renderNodes(node.children, isLive)}
    </blockquote>
  )
}

function renderReference(node: RootContent, key: number, isLive: boolean): ReactNode {
  switch (node.type) {
    case 'link':
      return (
        <AnswerLink key={key} url={node.url} title={node.title}>
          {renderNodes(node.children, isLive)}
        </AnswerLink>
      )
    case 'linkReference':
      return (
        <ReferenceLink key={key} name={node.identifier}>
          {renderNodes(node.children, isLive)}
        </ReferenceLink>
      )
    case 'image':
      return <AnswerImage key={key} url={node.url} alt={node.alt ?? ''} title={node.title} />
    case 'imageReference':
      return <ReferenceImage key={key} name={node.identifier} alt={node.alt ?? ''} />
    case 'footnoteReference':
      return <FootnoteReference key={key} name={node.identifier} />
    case 'formula':
      return <Formula key={key} value={node.value} isDisplay={node.isDisplay} />
    case 'formulaBlock':
      return <Formula key={key} value={node.value} isDisplay isPending={!node.isClosed} rest={node.rest} isBlock />
    default:
      // Only definitions are left: they are shown by what refers to them.
      return null
  }
}

export function renderNodes(nodes: readonly RootContent[], isLive: boolean): ReactNode[] {
  return nodes.map((node, i) => renderNode(node, i, isLive && i === nodes.length - 1))
}

/** The page has its own first two levels of headings, so those of an answer begin at the third. */
function HeadingView({ node, isLive }: { node: Heading; isLive: boolean }) {
  const inner = renderNodes(node.children, isLive)
  if (node.depth === 1) return <h3>{inner}</h3>
  if (node.depth === 2) return <h4>{inner}</h4>
  return node.depth === 3 ? <h5>{inner}</h5> : <h6>{inner}</h6>
}

function ListView({ node, isLive }: { node: List; isLive: boolean }) {
  const isLoose = node.spread === true || node.children.some((item) => item.spread)
  const items = node.children.map((item, i) => renderItem(item, i, isLoose, isLive && i === node.children.length - 1))
  return node.ordered ? <ol start={node.start ?? 1}>{items}</ol> : <ul>{items}</ul>
}

function renderItem(node: ListItem, key: number, isLoose: boolean, isLive: boolean) {
  return <ItemView key={key} node={node} isLoose={isLoose} isLive={isLive} />
}

interface ItemProps {
  node: ListItem
  isLoose: boolean
  isLive: boolean
}

const ItemView = memo(function ItemView({ node, isLoose, isLive }: ItemProps) {
  const isTask = typeof node.checked === 'boolean'
  const inner = node.children.map((child, i) => {
    const isLast = isLive && i === node.children.length - 1
    return !isLoose && child.type === 'paragraph' ? renderNodes(child.children, isLast) : renderNode(child, i, isLast)
  })
  return (
    <li className={isTask ? 'task' : undefined}>
      {isTask && <span className="task-box" role="img" aria-label={node.checked ? 'Сделано' : 'Не сделано'} />}
      {inner}
    </li>
  )
})

function TableView({ node, isLive }: { node: Table; isLive: boolean }) {
  const [head, ...rows] = node.children
  const columns = head?.children.length ?? 0
  const shown = shownOf(rows.length, columns)
  const isLast = (i: number) => isLive && i === rows.length - 1
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <figure data-table="" aria-label="Таблица" tabIndex={0}>
        <table>
          <thead>
            {head && <RowView row={head} columns={shown.columns} align={node.align} isHead isLive={isLive} />}
          </thead>
          {rows.length > 0 && (
            <tbody>
              {rows
                .slice(0, shown.rows)
                .map((row, i) => renderRow(row, i, { columns: shown.columns, align: node.align, isLive: isLast(i) }))}
            </tbody>
          )}
        </table>
      </figure>
      {(shown.rows < rows.length || shown.columns < columns) && (
        <CutTable table={node} shown={shown} all={{ rows: rows.length, columns }} />
      )}
    </>
  )
}

function renderRow(row: TableRow, key: number, props: Omit<RowProps, 'row'>) {
  return <RowView key={key} row={row} {...props} />
}

interface RowProps {
  row: TableRow
  /** The number of cells that are shown: those that the row has not are empty, extra ones are left out. */
  columns: number
  align: Table['align']
  isHead?: boolean
  isLive: boolean
}

const RowView = memo(function RowView({ row, columns, align, isHead = false, isLive }: RowProps) {
  const cells = row.children.slice(0, columns)
  const missing = columns - cells.length
  return (
    <tr>
      {cells.map((cell, i) => renderCell(cell, i, align?.[i], isHead, isLive))}
      {missing > 0 && <td key={cells.length} colSpan={missing > 1 ? missing : undefined} />}
    </tr>
  )
})

type Align = NonNullable<Table['align']>[number] | undefined

function renderCell(cell: TableCell, key: number, align: Align, isHead: boolean, isLive: boolean) {
  const inner = renderNodes(cell.children, isLive)
  const side = align ?? undefined
  if (!isHead)
    return (
      <td key={key} data-align={side}>
        {inner}
      </td>
    )
  return (
    <th key={key} scope="col" data-align={side}>
      {inner}
    </th>
  )
}
