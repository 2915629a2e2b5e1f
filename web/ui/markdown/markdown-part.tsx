import { latePart, useLatePart } from './late-part.ts'
import '../prose.css'

const markdown = latePart(async () => (await import('./markdown.tsx')).Markdown)

/** Begins to load what draws answers: a page that will show one calls it ahead of need. */
export function preloadMarkdown(): void {
  // Whoever shows an answer asks again, and shows its plain text meanwhile.
  markdown.load().catch(() => undefined)
}

interface LazyMarkdownProps {
  text: string
  isStreaming?: boolean
}

/** An answer: its plain text until the part that draws Markdown is there. */
export function LazyMarkdown(props: LazyMarkdownProps) {
  const Markdown = useLatePart(markdown)
  if (Markdown) return <Markdown {...props} />
  return <div className="prose answer whitespace-pre-wrap">{props.text}</div>
}
