import { useState } from 'react'
import { START_GIFT } from '#contract/billing.ts'
import type { UserCard } from '#contract/user-desk.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { ConfirmAct, Consequences } from './confirm-act.tsx'
import { useEndUserSessions, useGift, useImpersonate, useRemoveUser, useResetFactor, useSetRole } from './queries.ts'
import { personName } from './user-words.ts'

interface ActDialogProps {
  user: UserCard
  onClose: () => void
}

export function RoleDialog({ user, onClose }: ActDialogProps) {
  const setRole = useSetRole()
  const makes = user.role === 'user'
  return (
    <ConfirmAct
      title={
        makes ? `Сделать администратором: ${personName(user)}?` : `Снять роль администратора: ${personName(user)}?`
      }
      act={makes ? 'Сделать администратором' : 'Снять роль'}
      isDanger={!makes}
      call={setRole}
      onAct={() => setRole.mutate({ userId: user.id, role: makes ? 'admin' : 'user' }, { onSuccess: onClose })}
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
    </ConfirmAct>
  )
}

export function SessionsDialog({ user, onClose }: ActDialogProps) {
  const end = useEndUserSessions()
  return (
    <ConfirmAct
      title="Завершить все сеансы?"
      act="Завершить все"
      call={end}
      onAct={() => end.mutate(user.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{personName(user)} выйдет на всех устройствах. Войти снова можно будет сразу.</p>
    </ConfirmAct>
  )
}

export function FactorDialog({ user, onClose }: ActDialogProps) {
  const reset = useResetFactor()
  return (
    <ConfirmAct
      title={`Снять вход в два шага: ${personName(user)}?`}
      act="Снять"
      isDanger
      call={reset}
      onAct={() => reset.mutate(user.id, { onSuccess: onClose })}
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
    </ConfirmAct>
  )
}

export function ImpersonateDialog({ user, onClose }: ActDialogProps) {
  const impersonate = useImpersonate()
  return (
    <ConfirmAct
      title={`Посмотреть глазами: ${personName(user)}?`}
      act="Посмотреть"
      call={impersonate}
      onAct={() => impersonate.mutate(user.id)}
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
    </ConfirmAct>
  )
}

/** Gives what was refused at the first sign-in. Its key gives it once, whoever presses. */
export function StartGiftDialog({ user, onClose }: ActDialogProps) {
  const gift = useGift()
  const symbols = user.giftRefusal?.symbols ?? 0
  if (symbols === 0) return null
  return (
    <ConfirmAct
      title={`Выдать стартовые символы: ${personName(user)}?`}
      act="Выдать"
      call={gift}
      onAct={() =>
        gift.mutate({ id: user.id, symbols, reason: 'Стартовые символы', key: START_GIFT }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <p>
        {formatSymbols(symbols)} появятся на балансе сразу и без срока. Человек увидит их в своих операциях, а вы — в
        журнале действий.
      </p>
    </ConfirmAct>
  )
}

export function DeleteDialog({ user, onClose, onDeleted }: ActDialogProps & { onDeleted: () => void }) {
  const remove = useRemoveUser(onDeleted)
  const [typed, setTyped] = useState('')
  const { availableTokens, recurrent } = user.SingleSubscription
  return (
    <ConfirmAct
      title={`Удалить аккаунт: ${personName(user)}?`}
      act="Удалить навсегда"
      isDanger
      isReady={typed.trim().toLowerCase() === user.email.toLowerCase()}
      call={remove}
      onAct={() => remove.mutate(user.id)}
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
    </ConfirmAct>
  )
}
