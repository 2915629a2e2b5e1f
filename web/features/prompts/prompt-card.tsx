import { useMemo } from 'react'
import { Link } from 'wouter'
import { parsePrompt } from '#contract/prompt-variables.ts'
import type { Prompt } from '#contract/prompts.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { FavouriteButton } from './favourite-button.tsx'
import { Badge } from './prompt-badge.tsx'

interface PromptCardProps {
  prompt: Prompt
  /** Shown when the list has several categories. */
  withCategory: boolean
  onUse: (prompt: Prompt) => void
}

/** The whole card is a link; the star and the button are above it. */
export function PromptCard({ prompt, withCategory, onUse }: PromptCardProps) {
  const { id, title, description, content, category, uses } = prompt
  const fields = useMemo(() => parsePrompt(content).variables.length, [content])
  return (
    <article className="group relative flex h-full flex-col gap-2 rounded-md border bg-surface p-4 transition-colors hover:border-line-strong">
      {withCategory && <p className="-mb-1 truncate pr-8 text-muted text-sm">{category}</p>}
      <h3 className="pr-7 font-medium leading-snug wrap-anywhere">
        <Link href={paths.prompt(id)} className="rounded-xs after:absolute after:inset-0 after:rounded-md">
          {title}
        </Link>
      </h3>
      <div className="absolute top-2.5 right-2.5">
        <FavouriteButton prompt={prompt} />
      </div>
      <p className="line-clamp-3 text-pretty text-[15px] text-muted wrap-anywhere">{description || content}</p>
      <div className="mt-auto flex items-end justify-between gap-3 pt-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
          <Badge prompt={prompt} />
          {fields > 0 && (
            <span className="whitespace-nowrap">
              {fields} {plural(fields, 'поле', 'поля', 'полей')}
            </span>
          )}
          {uses > 0 && (
            <span className="figures whitespace-nowrap">
              {formatNumber(uses)} {plural(uses, 'раз', 'раза', 'раз')}
            </span>
          )}
        </p>
        <Button
          size="sm"
          className="relative shrink-0"
          aria-label={`Использовать: ${title}`}
          onClick={() => onUse(prompt)}
        >
          Использовать
        </Button>
      </div>
    </article>
  )
}
