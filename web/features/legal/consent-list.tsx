import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ConsentKind, documentTitles, type OwnConsent, type RenewalConsentState } from '#contract/legal.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconRow } from '#web/ui/icon-row.tsx'
import { CalendarSync, FileCheck, FileX } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { ownConsentsQuery, useWithdrawConsent } from './queries.ts'

export function ConsentList() {
  const consents = useQuery(ownConsentsQuery)
  const [withdrawn, setWithdrawn] = useState<ConsentKind | null>(null)
  if (consents.isError) return <QueryError query={consents} />
  if (!consents.data) return <Skeleton className="h-24" />
  const { documents, renewals } = consents.data
  if (documents.length + renewals.length === 0) return <p className="text-pretty text-muted">Согласий пока нет.</p>
  return (
    <>
      <ul>
        {documents.map((consent) => (
          <IconRow
            key={consent.id}
            icon={consent.withdrawnAt ? <FileX size={20} /> : <FileCheck size={20} />}
            title={
              <TextLink href={paths.legal(consent.kind, consent.version)}>
                {documentTitles[consent.kind]}, версия {consent.version}
              </TextLink>
            }
            text={
              consent.withdrawnAt
                ? `Дано ${formatDateTime(consent.at)}, отозвано ${formatDateTime(consent.withdrawnAt)}`
                : `Дано ${formatDateTime(consent.at)}`
            }
            action={
              isNewestValid(consent, documents) && (
                <Button
                  size="sm"
                  aria-label={`Отозвать: ${documentTitles[consent.kind]}`}
                  onClick={() => setWithdrawn(consent.kind)}
                >
                  Отозвать
                </Button>
              )
            }
          />
        ))}
        {renewals.map(({ id, plan, at, state }) => (
          <IconRow
            key={id}
            icon={state === 'active' ? <CalendarSync size={20} /> : <FileX size={20} />}
            title={`Автоматическое продление тарифа «${plan}»`}
            text={
              <>
                Дано {formatDateTime(at)}.{' '}
                {state === 'active' ? (
                  <TextLink inText href={paths.profile('plan')}>
                    Отменить продление
                  </TextLink>
                ) : (
                  endings[state]
                )}
              </>
            }
          />
        ))}
      </ul>
      {withdrawn && <WithdrawDialog kind={withdrawn} onClose={() => setWithdrawn(null)} />}
    </>
  )
}

const endings: Record<Exclude<RenewalConsentState, 'active'>, string> = {
  ended: 'Больше не действует: по нему ничего не списывается.',
  unused: 'Не использовано: тариф с продлением по нему не оплачен.',
}

/** One withdrawal ends the consents to all versions of a document, so one button is enough. */
const isNewestValid = (consent: OwnConsent, all: OwnConsent[]) =>
  all.find(({ kind, withdrawnAt }) => kind === consent.kind && withdrawnAt === null) === consent

function WithdrawDialog({ kind, onClose }: { kind: ConsentKind; onClose: () => void }) {
  const withdraw = useWithdrawConsent()
  const onWithdrawn = () => {
    message.success('Согласие отозвано')
    onClose()
  }
  return (
    <ConfirmDialog
      title="Отозвать согласие?"
      cancel="Оставить"
      action="Отозвать согласие"
      isDanger
      isBusy={withdraw.isPending}
      onAction={() => withdraw.mutate(kind, { onSuccess: onWithdrawn })}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        <p className="font-medium">{documentTitles[kind]}</p>
        <div>
          <p>Пока вы не согласитесь снова, остановится всё, для чего оно нужно:</p>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            <li>новые сообщения, изображения, расшифровки и файлы не принимаются;</li>
            <li>оплатить тариф или пакет нельзя.</li>
          </ul>
        </div>
        <p className="text-pretty">
          Сохранённое останется, пока вы его не удалите: на этой странице можно скачать данные и удалить аккаунт.
          Подписка сама не отменяется, это делается в разделе{' '}
          <TextLink inText href={paths.profile('plan')}>
            «Подписка»
          </TextLink>
          .
        </p>
        <ErrorNote text={withdraw.errors.form} />
      </div>
    </ConfirmDialog>
  )
}
