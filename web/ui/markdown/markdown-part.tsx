import { lazy, useLazy } from '#web/lib/lazy.tsx'

const markdown = lazy(async () => (await import('./markdown.tsx')).Markdown)

/** Never fails: LazyMarkdown tries again and shows plain text meanwhile. */
export async function preloadMarkdown(): Promise<void> {
  await markdown.load().catch(() => undefined)
}

/** Parses texts that are rendered soon, in short tasks. Never fails: what is not parsed is parsed when it is rendered. */
export async function parseAhead(texts: readonly string[]): Promise<void> {
  try {
    const { parseInPieces } = await import('./use-split.ts')
    for (const text of texts) await parseInPieces(text)
  } catch {}
}

interface LazyMarkdownProps {
  text: string
  isStreaming?: boolean
}

/** `Markdown`, or the plain text until the renderer is loaded. */
export function LazyMarkdown(props: LazyMarkdownProps) {
  const Markdown = useLazy(markdown)
  if (Markdown) return <Markdown {...props} />
  return <div className="prose answer whitespace-pre-wrap">{props.text}</div>
}
