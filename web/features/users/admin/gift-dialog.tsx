import { useState } from 'react'
import * as z from 'zod/mini'
import type { UserCard } from '#contract/users-admin.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { newId } from '#web/lib/new-id.ts'
import { readNumber } from '#web/lib/number-input.ts'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { SymbolsField } from '#web/ui/form/unit-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { TextArea } from '#web/ui/text-area.tsx'
import { useGift } from './queries.ts'
import { personName } from './user-labels.ts'

const NUMBER = 'Нужно целое число от 1 до 1 000 000 000'
const GiftForm = z.object({
  symbols: z.int({ error: NUMBER }).check(z.minimum(1, { error: NUMBER }), z.maximum(1_000_000_000, { error: NUMBER })),
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: 'Напишите причину: её увидит пользователь' }),
      z.maxLength(500, { error: 'Не больше 500 знаков' }),
    ),
})

const texts = {
  gift: {
    title: (name: string) => `Подарить символы: ${name}`,
    save: 'Подарить',
    about: 'Символы появятся на балансе сразу и без срока. Человек увидит подарок и причину в своих операциях.',
  },
  take: {
    title: (name: string) => `Забрать символы: ${name}`,
    save: 'Забрать',
    about: 'Человек увидит списание и причину в своих операциях.',
  },
}

interface GiftDialogProps {
  user: UserCard
  kind: 'gift' | 'take'
  onClose: () => void
}

export function GiftDialog({ user, kind, onClose }: GiftDialogProps) {
  const gift = useGift()
  // One idempotency key per dialog: pressing again after a lost response grants nothing twice.
  const [key] = useState(newId)
  const form = useForm({
    draft: { symbols: '', reason: '' },
    schema: GiftForm,
    read: ({ symbols, reason }) => ({ symbols: readNumber(symbols), reason }),
    save: async ({ symbols, reason }) => {
      await gift.mutateAsync({ id: user.id, symbols: kind === 'gift' ? symbols : -symbols, reason, key })
      onClose()
    },
  })
  const { title, save, about } = texts[kind]
  const free = formatSymbols(user.SingleSubscription.availableTokens)
  const limit = `Сейчас свободно ${free}; больше не заберётся, баланс не станет меньше нуля.`
  return (
    <FormDialog title={title(personName(user))} form={form} save={save} onClose={onClose}>
      <p className="text-pretty text-muted">{about}</p>
      <SymbolsField
        label="Сколько символов"
        placeholder="10 000"
        hint={kind === 'take' ? limit : undefined}
        {...form.text('symbols')}
      />
      <TextArea label="Причина" rows={3} maxLength={500} {...form.text('reason')} />
    </FormDialog>
  )
}
