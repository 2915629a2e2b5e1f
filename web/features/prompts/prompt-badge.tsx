import type { ReactNode } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { classNames } from '#web/lib/class-names.ts'

type BadgeProps = Pick<Prompt, 'own' | 'published' | 'deletedAt'>

/** The owner in one word; prompts of the library have no badge. */
export function Badge({ prompt: { own, published, deletedAt } }: { prompt: BadgeProps }) {
  if (deletedAt) return <Tag tone="muted">В корзине</Tag>
  if (own) return <Tag tone="accent">{published ? 'Мой, общий' : 'Мой'}</Tag>
  return published ? null : <Tag tone="muted">По ссылке</Tag>
}

const tones = {
  accent: 'bg-accent-soft text-accent-ink',
  muted: 'bg-hover text-muted',
  success: 'bg-success-soft text-success',
}

export function Tag({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  return (
    <span className={classNames('inline-block rounded-full px-2 py-px text-[13px] whitespace-nowrap', tones[tone])}>
      {children}
    </span>
  )
}
