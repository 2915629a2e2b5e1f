import type { SharedThread } from '#contract/threads.ts'
import { LazyMarkdown } from '#web/ui/markdown/markdown-part.tsx'

/** Read-only messages: questions as bubbles on the right, answers as text. */
export function SharedMessages({ messages }: { messages: SharedThread['Messages'] }) {
  const nonEmpty = messages.filter(({ content }) => content !== '')
  if (nonEmpty.length === 0) return <p className="text-muted">В этом чате ещё ничего не написано.</p>
  return (
    <ol className="flex flex-col gap-8">
      {nonEmpty.map(({ id, role, content }) => (
        <li key={id} className="flex flex-col">
          <h2 className="sr-only print:not-sr-only print:mb-1 print:text-sm print:text-muted">
            {role === 'user' ? 'Вопрос' : 'Ответ'}
          </h2>
          {role === 'user' ? (
            <p className="max-w-[88%] self-end whitespace-pre-wrap rounded-lg rounded-br-xs bg-accent-soft px-4 py-2.5 wrap-anywhere print:max-w-full print:self-start print:border print:bg-transparent">
              {content}
            </p>
          ) : (
            <LazyMarkdown text={content} />
          )}
        </li>
      ))}
    </ol>
  )
}
