import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type ConsentKind, isDocumentKind, type NeededConsent, needsConsent } from '#contract/legal.ts'
import type { DocumentVersion } from '#contract/page.ts'
import { earlyConsents, forgetEarlyConsents } from '#web/lib/early-consents.ts'
import { useSession } from '#web/lib/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ConsentLabel } from './consent-label.tsx'
import { neededConsentsQuery, useGiveConsents } from './queries.ts'

/** What the consents are followed by: a message is sent, another action goes on, or nothing waits. */
export type AfterConsent = 'send' | 'continue' | null

const agreeLabels = { send: 'Принять и отправить', continue: 'Принять и продолжить' }

interface ConsentDialogProps {
  next: AfterConsent
  onDone: (agreed: boolean) => void
}

/** Gives the consents that were ticked on the sign-in page, and asks for those that were not. */
export function ConsentDialog(props: ConsentDialogProps) {
  const isGiving = useEarlyConsents(props.onDone)
  return isGiving ? null : <Question {...props} />
}

function useEarlyConsents(onDone: ConsentDialogProps['onDone']): boolean {
  const email = useSession()?.email ?? ''
  const give = useGiveConsents()
  const [ticked] = useState(() => earlyConsents(email).filter(isConsent))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    forgetEarlyConsents()
    if (ticked.length > 0) give.mutate(ticked, { onSuccess: (left) => left.length === 0 && onDone(true) })
  }, [])
  const isOver = give.isError || (give.isSuccess && give.data.length > 0)
  return ticked.length > 0 && !isOver
}

type Ticked = Pick<NeededConsent, 'kind' | 'version'>
const isConsent = (one: DocumentVersion): one is Ticked => isDocumentKind(one.kind) && needsConsent(one.kind)

/** Asks for a consent to each document separately. What is typed behind it stays. */
function Question({ next, onDone }: ConsentDialogProps) {
  const needed = useQuery(neededConsentsQuery)
  const form = useId()
  const give = useGiveConsents()
  // The consents may have been given in another tab.
  const isNothingLeft = needed.data?.length === 0
  useEffect(() => {
    if (isNothingLeft) onDone(true)
  }, [isNothingLeft, onDone])
  const documents = needed.data ?? []
  const isChanged = documents.some(({ agreedBefore }) => agreedBefore)
  return (
    <Dialog
      open
      onClose={() => onDone(false)}
      title={isChanged ? 'Документы изменились' : 'Прежде чем начать'}
      footer={
        <>
          <Button variant="ghost" onClick={() => onDone(false)}>
            Не сейчас
          </Button>
          <Button type="submit" form={form} variant="primary" busy={give.isPending} disabled={documents.length === 0}>
            {next ? agreeLabels[next] : 'Принять'}
          </Button>
        </>
      }
    >
      {needed.isError ? (
        <QueryError query={needed} />
      ) : documents.length > 0 ? (
        <Boxes
          // Resets the checkboxes when a text has changed meanwhile.
          key={documents.map(({ version }) => version).join()}
          id={form}
          documents={documents}
          onAgree={() =>
            give.mutate(documents, {
              onSuccess: (left) => (left.length === 0 ? onDone(true) : void needed.refetch()),
              onError: () => void needed.refetch(),
            })
          }
        >
          <ErrorNote text={give.errors.form} />
        </Boxes>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Dialog>
  )
}

interface BoxesProps {
  id: string
  documents: NeededConsent[]
  onAgree: () => void
  children: ReactNode
}

function Boxes({ id, documents, onAgree, children }: BoxesProps) {
  const [ticked, setTicked] = useState<Partial<Record<ConsentKind, boolean>>>({})
  const [isTried, setIsTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // The dialog opens before the documents have come, with the focus on the only button that could be pressed.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={form}
      id={id}
      noValidate
      className="flex flex-col gap-4 pt-1"
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (documents.every(({ kind }) => ticked[kind])) onAgree()
      }}
    >
      {documents.map(({ kind, version, agreedBefore }) => (
        <Checkbox
          key={kind}
          label={
            <>
              <ConsentLabel kind={kind} />
              {agreedBefore && <span className="text-muted"> Текст изменился, теперь это версия {version}.</span>}
            </>
          }
          checked={ticked[kind] === true}
          onChange={(checked) => setTicked({ ...ticked, [kind]: checked })}
          error={isTried && !ticked[kind] ? 'Прочитайте и отметьте, чтобы продолжить.' : null}
        />
      ))}
      <p className="text-sm text-pretty text-muted">
        Без согласия можно читать свои чаты, скачать данные и удалить аккаунт. Отозвать согласие можно в любой момент: в
        профиле, раздел «Мои согласия».
      </p>
      {children}
    </form>
  )
}
