import * as z from 'zod/mini'
import type { UserCard } from '#contract/users-admin.ts'
import { readLocalTime } from '#web/lib/local-time.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useBan, useCancelRenewal } from './queries.ts'
import { personName } from './user-labels.ts'

const BanForm = z.object({
  banReason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: 'Напишите, за что: это останется в журнале' }),
      z.maxLength(500, { error: 'Не больше 500 знаков' }),
    ),
  until: z.nullable(z.iso.datetime()),
  endsRenewal: z.boolean(),
})

export function BanDialog({ user, onClose }: { user: UserCard; onClose: () => void }) {
  const ban = useBan()
  const end = useCancelRenewal()
  const renews = user.SingleSubscription.recurrent
  const form = useForm({
    draft: { banReason: '', until: '', endsRenewal: renews },
    schema: BanForm,
    read: ({ until, ...rest }) => ({ ...rest, until: readLocalTime(until) }),
    rule: ({ until }) =>
      until && Date.parse(until) <= Date.now() ? { field: 'until', message: 'Это время уже прошло' } : null,
    save: async ({ banReason, until, endsRenewal }) => {
      // First, so that nobody is banned while a charge that should have ended goes on.
      if (endsRenewal) await end.mutateAsync(user.id)
      const seconds = until ? { banExpiresIn: Math.ceil((Date.parse(until) - Date.now()) / 1000) } : {}
      await ban.mutateAsync({ userId: user.id, banReason, ...seconds })
      onClose()
    },
  })
  return (
    <FormDialog title={`Заблокировать: ${personName(user)}`} form={form} save="Заблокировать" onClose={onClose}>
      <p className="text-pretty text-muted">
        Человек сразу выйдет на всех устройствах и не сможет войти. Его чаты и символы останутся.
      </p>
      <TextArea label="За что" rows={3} maxLength={500} {...form.text('banReason')} />
      <TextField label="До какого времени" type="datetime-local" hint="Пусто, если насовсем." {...form.text('until')} />
      {renews && (
        <Checkbox
          label="Отменить и продление: деньги за подписку больше не спишутся, оплаченное останется до конца периода"
          {...form.flag('endsRenewal')}
        />
      )}
    </FormDialog>
  )
}
