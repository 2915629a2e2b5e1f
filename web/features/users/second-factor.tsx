import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AccountError } from './account-form.tsx'
import { factorQuery, useDisableTotp, useNewCodes } from './factor-queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetup } from './totp-setup.tsx'

export function SecondFactor() {
  const factor = useQuery(factorQuery)
  const [isOpen, setIsOpen] = useState(false)
  if (factor.isError) return <QueryError query={factor} />
  if (!factor.data) return <Skeleton className="h-10" />
  return (
    <>
      {factor.data.enabled ? (
        <Enabled codesLeft={factor.data.codesLeft} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <p className="min-w-0 flex-1 basis-64 text-pretty text-muted">
            Выключен. С ним одной почты или пароля мало: нужен ещё код из приложения на вашем телефоне.
          </p>
          <Button onClick={() => setIsOpen(true)}>Включить</Button>
        </div>
      )}
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Вход в два шага">
        {isOpen && <TotpSetup onClose={() => setIsOpen(false)} />}
      </Dialog>
    </>
  )
}

function Enabled({ codesLeft }: { codesLeft: number }) {
  const renew = useNewCodes()
  const disable = useDisableTotp()
  const [isDisabling, setIsDisabling] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <p className="text-pretty text-muted">
        Включён: после первого шага спрашиваем код из приложения. Кодов восстановления осталось: {codesLeft}.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button busy={renew.isPending} onClick={() => renew.mutate(undefined)}>
          Новые коды
        </Button>
        <Button variant="ghost" onClick={() => setIsDisabling(true)}>
          Выключить
        </Button>
      </div>
      <AccountError errors={renew.errors} />
      <Dialog open={renew.isSuccess} onClose={renew.reset} title="Новые коды восстановления">
        {renew.data && <RecoveryCodes codes={renew.data.backupCodes} onClose={renew.reset} />}
      </Dialog>
      <ConfirmDialog
        open={isDisabling}
        title="Выключить вход в два шага?"
        cancel="Оставить"
        action="Выключить"
        isDanger
        isBusy={disable.isPending}
        onAction={() => disable.mutate(undefined, { onSuccess: () => setIsDisabling(false) })}
        onClose={() => setIsDisabling(false)}
      >
        <p>Код из приложения больше не понадобится, а коды восстановления перестанут действовать.</p>
        <AccountError errors={disable.errors} />
      </ConfirmDialog>
    </div>
  )
}
