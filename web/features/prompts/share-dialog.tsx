import type { Prompt } from '#contract/prompts.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { AddressField } from '#web/ui/address-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Link2Off } from '#web/ui/icons.ts'
import { useShare, useUnshare } from './queries.ts'

interface ShareDialogProps {
  prompt: Prompt
  onClose: () => void
}

export function ShareDialog({ prompt: { id, shareId }, onClose }: ShareDialogProps) {
  const share = useShare(id)
  const unshare = useUnshare(id)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Поделиться промптом"
      footer={
        shareId !== null && (
          <Button
            variant="ghost"
            busy={unshare.isPending}
            icon={<Link2Off size={18} />}
            onClick={() => unshare.mutate(undefined, { onSuccess: () => message.success('Ссылка закрыта') })}
          >
            Закрыть ссылку
          </Button>
        )
      }
    >
      {shareId === null ? (
        <div className="flex flex-col items-start gap-4">
          <p className="text-muted">
            По ссылке промпт прочитает и сохранит себе любой, кто вошёл. Изменить его сможете только вы, а ссылку можно
            закрыть в любой момент.
          </p>
          <Button variant="primary" busy={share.isPending} onClick={() => share.mutate(undefined)}>
            Создать ссылку
          </Button>
        </div>
      ) : (
        <AddressField
          label="Ссылка на промпт"
          hint="Откроется у любого, кто вошёл."
          address={new URL(paths.prompt(id, shareId), location.origin).href}
        />
      )}
    </Dialog>
  )
}
