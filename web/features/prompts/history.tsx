import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { PromptVersion } from '#contract/prompts.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Undo2 } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tag } from './prompt-badge.tsx'
import { useRestoreVersion, versionsQuery } from './queries.ts'
import { diffText } from './text-diff.ts'

interface HistoryProps {
  promptId: string
  canRestore: boolean
}

export function History({ promptId, canRestore }: HistoryProps) {
  const versions = useQuery(versionsQuery(promptId))
  const restore = useRestoreVersion(promptId)
  if (versions.isError) return <QueryError query={versions} />
  if (!versions.data) return <Skeleton className="h-32" />
  if (versions.data.length === 1) return <p className="text-muted">Промпт ещё не меняли.</p>
  return (
    <ol className="flex flex-col rounded-md border bg-surface">
      {versions.data.map((version, index) => (
        <li key={version.version} className="border-b last:border-0">
          <Version
            version={version}
            before={versions.data[index + 1]}
            restore={
              index === 0 || !canRestore ? null : (
                <Button
                  size="sm"
                  icon={<Undo2 size={16} />}
                  busy={restore.isPending && restore.variables === version.version}
                  onClick={() =>
                    restore.mutate(version.version, {
                      onSuccess: () => message.success(`Версия ${version.version} возвращена`),
                    })
                  }
                >
                  Вернуть
                </Button>
              )
            }
            isPresent={index === 0}
          />
        </li>
      ))}
    </ol>
  )
}

interface VersionProps {
  version: PromptVersion
  /** The oldest stored version has no predecessor to compare with. */
  before: PromptVersion | undefined
  restore: ReactNode
  isPresent: boolean
}

function Version({ version, before, restore, isPresent }: VersionProps) {
  const { version: number, by, at } = version
  return (
    <details className="group">
      <summary className="flex min-h-12 list-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <span className="font-medium">Версия {number}</span>
        {isPresent && <Tag tone="success">сейчас</Tag>}
        <span className="text-muted text-sm">{changedIn(version, before)}</span>
        <span className="ml-auto text-muted text-sm">
          {by ? `${by.me ? 'вы' : by.name}, ` : ''}
          {formatDateTime(at)}
        </span>
      </summary>
      <div className="flex flex-col gap-3 px-4 pt-1 pb-4">
        <Field name="Название" now={version.title} was={before?.title} />
        <Field name="Категория" now={version.category} was={before?.category} />
        <Field name="Описание" now={version.description} was={before?.description} />
        <div>
          <p className="text-muted text-sm">Текст</p>
          <DiffView before={before?.content ?? version.content} after={version.content} />
        </div>
        {restore && <div>{restore}</div>}
      </div>
    </details>
  )
}

const names = [
  ['title', 'название'],
  ['content', 'текст'],
  ['category', 'категория'],
  ['description', 'описание'],
] as const

function changedIn(version: PromptVersion, before: PromptVersion | undefined): string {
  if (!before) return version.version === 1 ? 'создан' : ''
  return names
    .filter(([field]) => version[field] !== before[field])
    .map(([, name]) => name)
    .join(', ')
}

interface FieldProps {
  name: string
  now: string
  was: string | undefined
}

function Field({ name, now, was = now }: FieldProps) {
  if (now === was) return null
  return (
    <div>
      <p className="text-muted text-sm">{name}</p>
      <p className="text-[15px] wrap-anywhere">
        {was && <del className="text-muted">{was}</del>} {now && <ins className="no-underline">{now}</ins>}
      </p>
    </div>
  )
}

interface DiffViewProps {
  before: string
  after: string
}

/** Removed text is struck through, added text is marked: readable without colours too. */
function DiffView({ before, after }: DiffViewProps) {
  const parts = useMemo(() => diffText(before, after), [before, after])
  return (
    <p className="max-h-80 overflow-y-auto whitespace-pre-wrap text-[15px] wrap-anywhere">
      {parts.map(({ type, text }, index) => {
        // Parts have no id, only their position.
        const key = `${index}-${type}`
        if (type === 'same') return <span key={key}>{text}</span>
        if (type === 'removed')
          return (
            <del key={key} className="bg-danger-soft text-danger">
              {text}
            </del>
          )
        return (
          <ins key={key} className="bg-success-soft text-success no-underline">
            {text}
          </ins>
        )
      })}
    </p>
  )
}
