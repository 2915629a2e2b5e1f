import { useState } from 'react'
import { START_GIFT } from '#contract/billing.ts'
import type { UserCard } from '#contract/users-admin.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { ConfirmAction, Consequences } from './confirm-action.tsx'
import { useEndUserSessions, useGift, useImpersonate, useRemoveUser, useResetFactor, useSetRole } from './queries.ts'
import { personName } from './user-labels.ts'

interface ActionDialogProps {
  user: UserCard
  onClose: () => void
}

export function RoleDialog({ user, onClose }: ActionDialogProps) {
  const setRole = useSetRole()
  const makes = user.role === 'user'
  return (
    <ConfirmAction
      title={
        makes ? `Сделать администратором: ${personName(user)}?` : `Снять роль администратора: ${personName(user)}?`
      }
      action={makes ? 'Сделать администратором' : 'Снять роль'}
      isDanger={!makes}
      call={setRole}
      onAction={() => setRole.mutate({ userId: user.id, role: makes ? 'admin' : 'user' }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {makes ? (
        <Consequences
          lines={[
            'увидит всех пользователей, платежи и статистику;',
            'сможет дарить и забирать символы, менять тарифы, модели и промокоды, возвращать деньги;',
            'сможет блокировать и удалять людей и назначать администраторов.',
          ]}
        />
      ) : (
        <p>Раздел «Управление» для этого человека закроется сразу. Остальное останется как есть.</p>
      )}
    </ConfirmAction>
  )
}

export function SessionsDialog({ user, onClose }: ActionDialogProps) {
  const end = useEndUserSessions()
  return (
    <ConfirmAction
      title="Завершить все сеансы?"
      action="Завершить все"
      call={end}
      onAction={() => end.mutate(user.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{personName(user)} выйдет на всех устройствах. Войти снова можно будет сразу.</p>
    </ConfirmAction>
  )
}

export function FactorDialog({ user, onClose }: ActionDialogProps) {
  const reset = useResetFactor()
  return (
    <ConfirmAction
      title={`Снять вход в два шага: ${personName(user)}?`}
      action="Снять"
      isDanger
      call={reset}
      onAction={() => reset.mutate(user.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Делайте это, только если человек потерял телефон и коды и вы убедились, что пишет он сам.</p>
      <Consequences
        lines={[
          'код из приложения, коды восстановления и ключи доступа перестанут действовать;',
          'все сеансы завершатся, войти можно будет по ссылке из письма;',
          'человек получит письмо об этом, а запись останется в журнале действий.',
        ]}
      />
    </ConfirmAction>
  )
}

export function ImpersonateDialog({ user, onClose }: ActionDialogProps) {
  const impersonate = useImpersonate()
  return (
    <ConfirmAction
      title={`Посмотреть глазами пользователя ${personName(user)}?`}
      action="Посмотреть"
      call={impersonate}
      onAction={() => impersonate.mutate(user.id)}
      onClose={onClose}
    >
      <p>
        Вы увидите приложение так, как видит его этот человек, вместе с его чатами. Делайте это только по его просьбе.
      </p>
      <Consequences
        lines={[
          'можно только смотреть: писать, тратить символы и менять что-либо нельзя;',
          'через час всё закончится само, вернуться можно в любой момент;',
          'это останется в журнале действий.',
        ]}
      />
    </ConfirmAction>
  )
}

/** Grants the welcome symbols that were refused at sign-up. The idempotency key allows only one grant. */
export function StartGiftDialog({ user, onClose }: ActionDialogProps) {
  const gift = useGift()
  const symbols = user.giftRejection?.symbols ?? 0
  if (symbols === 0) return null
  return (
    <ConfirmAction
      title={`Выдать стартовые символы: ${personName(user)}?`}
      action="Выдать"
      call={gift}
      onAction={() =>
        gift.mutate({ id: user.id, symbols, reason: 'Стартовые символы', key: START_GIFT }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <p>
        {formatSymbols(symbols)} появятся на балансе сразу и без срока. Человек увидит их в своих операциях, а вы — в
        журнале действий.
      </p>
    </ConfirmAction>
  )
}

export function DeleteDialog({ user, onClose, onDeleted }: ActionDialogProps & { onDeleted: () => void }) {
  const remove = useRemoveUser(onDeleted)
  const [typed, setTyped] = useState('')
  const { availableTokens, recurrent } = user.SingleSubscription
  return (
    <ConfirmAction
      title={`Удалить аккаунт: ${personName(user)}?`}
      action="Удалить навсегда"
      isDanger
      isReady={typed.trim().toLowerCase() === user.email.toLowerCase()}
      call={remove}
      onAction={() => remove.mutate(user.id)}
      onClose={onClose}
    >
      <p>Вернуть его будет нельзя. Пропадут:</p>
      <Consequences
        lines={[
          'профиль, чаты, файлы, ассистенты и промпты;',
          ...(availableTokens > 0 ? [`остаток на балансе: ${formatSymbols(availableTokens)};`] : []),
          ...(recurrent ? ['подписка: продлеваться она больше не будет;'] : []),
          'вход на всех устройствах.',
        ]}
      />
      <p>Сведения о платежах останутся для отчётности, без имени.</p>
      <TextField
        label={`Чтобы подтвердить, введите ${user.email}`}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmAction>
  )
}
