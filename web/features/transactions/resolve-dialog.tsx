import { paymentEventsApi } from '#contract/payment-events.ts'
import { message } from '#web/lib/notify.ts'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { TextArea } from '#web/ui/text-area.tsx'
import { useResolveEvent } from './queries.ts'

export function ResolveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const resolve = useResolveEvent()
  const form = useForm({
    draft: { note: '' },
    schema: paymentEventsApi.resolve.body,
    read: (draft) => draft,
    save: async ({ note }) => {
      await resolve.mutateAsync({ id, note })
      message.success('Событие разобрано')
      onClose()
    },
  })
  return (
    <FormDialog title="Событие разобрано" form={form} save="Отметить разобранным" onClose={onClose}>
      <TextArea
        label="Чем закончилось"
        hint="Например: деньги вернули в кабинете bePaid. Это увидят другие администраторы."
        maxLength={500}
        {...form.text('note')}
      />
    </FormDialog>
  )
}
