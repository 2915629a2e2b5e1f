import type { HelpPage } from '#contract/help.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { Button } from '#web/ui/button.tsx'
import { ThumbsDown, ThumbsUp } from '#web/ui/icons.ts'
import { useHelpFeedback } from './queries.ts'

export function Feedback({ page: { slug, useful } }: { page: HelpPage }) {
  const judge = useHelpFeedback(slug)
  return (
    <section data-screen-only aria-labelledby="feedback" className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <h2 id="feedback" className="font-medium">
        Была ли страница полезна?
      </h2>
      <div className="flex gap-2">
        <Button
          size="sm"
          variant={useful === true ? 'primary' : 'secondary'}
          aria-pressed={useful === true}
          icon={<ThumbsUp size={16} />}
          onClick={() => judge.mutate(true)}
        >
          Да
        </Button>
        <Button
          size="sm"
          variant={useful === false ? 'primary' : 'secondary'}
          aria-pressed={useful === false}
          icon={<ThumbsDown size={16} />}
          onClick={() => judge.mutate(false)}
        >
          Нет
        </Button>
      </div>
      <p role="status" className="basis-full text-muted empty:hidden">
        {useful === true && 'Спасибо, рады, что помогло.'}
        {useful === false && <Regret />}
      </p>
    </section>
  )
}

function Regret() {
  const { supportUrl } = pageConfig()
  if (!supportUrl) return 'Спасибо, что сказали: перепишем понятнее.'
  return (
    <>
      Спасибо, что сказали: перепишем понятнее. Если нужна помощь сейчас,{' '}
      <a
        href={supportUrl}
        target="_blank"
        rel="noopener noreferrer"
        className="rounded-xs text-accent-ink underline underline-offset-2 hover:no-underline"
      >
        напишите в поддержку
      </a>
      .
    </>
  )
}
