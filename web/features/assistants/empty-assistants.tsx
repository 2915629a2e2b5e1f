import { paths } from '#web/lib/paths.ts'
import { Emblem } from '#web/ui/emblem.tsx'
import { FileText, MessageSquareQuote, SlidersHorizontal } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { examples } from './examples.ts'

const benefits = [
  { Icon: SlidersHorizontal, text: 'Правила пишете один раз, и не нужно повторять их в каждом чате.' },
  { Icon: FileText, text: 'Знает ваши файлы: PDF, Word, Excel, презентации, книги и тексты до 20 МБ.' },
  { Icon: MessageSquareQuote, text: 'Показывает, откуда ответ: файл, страницу и само место.' },
]

export function EmptyAssistants() {
  return (
    <div className="flex flex-col gap-8">
      <ul className="grid gap-4 sm:grid-cols-3">
        {benefits.map(({ Icon, text }) => (
          <li key={text} className="flex gap-3 text-[15px] text-pretty">
            <Icon size={22} className="mt-0.5 shrink-0 text-accent-ink" />
            {text}
          </li>
        ))}
      </ul>
      <AssistantExamples />
    </div>
  )
}

export function AssistantExamples() {
  return (
    <section aria-labelledby="examples">
      <h2 id="examples" className="text-lg font-semibold">
        Начните с готового
      </h2>
      <p className="mt-0.5 text-sm text-muted">Всё в нём можно поменять под себя.</p>
      <ul className="mt-3 grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {examples.map(({ key, avatar, name, description }) => (
          <li
            key={key}
            className="relative flex items-start gap-3 rounded-md border bg-surface p-4 transition-colors hover:border-line-strong"
          >
            <Emblem value={avatar} size={44} />
            <div className="min-w-0">
              <h3 className="font-medium">
                <Link
                  href={`${paths.assistantCreate()}?example=${key}`}
                  className="rounded-xs after:absolute after:inset-0 after:rounded-md"
                >
                  {name}
                </Link>
              </h3>
              <p className="mt-1 text-[15px] text-pretty text-muted">{description}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
