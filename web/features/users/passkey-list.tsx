import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '#contract/auth-factors.ts'
import { deviceOf } from '#contract/device-name.ts'
import { canUsePasskeys } from '#web/lib/can-use-passkeys.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { IconRow, RowSkeletons } from '#web/ui/icon-row.tsx'
import { KeyRound } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { RenameField } from '#web/ui/rename-field.tsx'
import { AccountError } from './account-form.tsx'
import { passkeysQuery, useAddPasskey, useDeletePasskey, useRenamePasskey } from './factor-queries.ts'

export function PasskeyList() {
  const passkeys = useQuery(passkeysQuery)
  const add = useAddPasskey()
  const remove = useDeletePasskey()
  if (passkeys.isError) return <QueryError query={passkeys} />
  if (!passkeys.data) return <RowSkeletons count={1} />
  return (
    <div className="flex flex-col gap-4">
      <p className="text-pretty text-muted">
        Вход отпечатком, лицом или кодом устройства, без письма и пароля. Ключ заменяет оба шага.
      </p>
      {passkeys.data.length > 0 && (
        <ul>
          {passkeys.data.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isDeleting={remove.isPending && remove.variables === passkey.id}
              onDelete={() => remove.mutate(passkey.id)}
            />
          ))}
        </ul>
      )}
      <AccountError errors={remove.errors} />
      {canUsePasskeys() ? (
        <div>
          <Button busy={add.isPending} onClick={() => add.mutate(deviceOf(navigator.userAgent).name)}>
            Добавить ключ доступа
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">Этот браузер не умеет ключи доступа. Откройте профиль в более новом.</p>
      )}
      <AccountError errors={add.errors} />
    </div>
  )
}

interface PasskeyRowProps {
  passkey: Passkey
  isDeleting: boolean
  onDelete: () => void
}

function PasskeyRow({ passkey, isDeleting, onDelete }: PasskeyRowProps) {
  const rename = useRenamePasskey()
  const [isRenaming, setIsRenaming] = useState(false)
  const name = passkey.name || 'Ключ доступа'
  return (
    <IconRow
      icon={<KeyRound size={20} />}
      title={
        isRenaming ? (
          <RenameField
            label="Название ключа"
            maxLength={60}
            title={name}
            className="px-2 py-1"
            onDone={(next) => {
              setIsRenaming(false)
              if (next) rename.mutate({ id: passkey.id, name: next })
            }}
          />
        ) : (
          name
        )
      }
      text={`Добавлен ${formatDateTime(passkey.createdAt)}`}
      action={
        <span className="flex shrink-0 flex-wrap justify-end gap-2">
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Переименовать: ${name}`}
            busy={rename.isPending}
            onClick={() => setIsRenaming(true)}
          >
            Переименовать
          </Button>
          <Button size="sm" aria-label={`Удалить: ${name}`} busy={isDeleting} onClick={onDelete}>
            Удалить
          </Button>
        </span>
      }
    />
  )
}
