import { Check, Copy, Link2Off } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
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
            icon={<Link2Off size={18} aria-hidden="true" />}
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
        <Address address={new URL(paths.prompt(id, shareId), location.origin).href} />
      )}
    </Dialog>
  )
}

const COPIED_MS = 2000

function Address({ address }: { address: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(address)
    } catch {
      // Where the clipboard is closed to pages, the person copies what is selected.
      field.current?.select()
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }

  return (
    <div className="flex flex-col items-start gap-3">
      <div className="w-full">
        <TextField
          ref={field}
          label="Ссылка на промпт"
          hint="Откроется у любого, кто вошёл."
          readOnly
          value={address}
          onFocus={(event) => event.target.select()}
        />
      </div>
      <Button
        variant="primary"
        icon={isCopied ? <Check size={18} aria-hidden="true" /> : <Copy size={18} aria-hidden="true" />}
        onClick={() => void copy()}
      >
        {isCopied ? 'Скопировано' : 'Скопировать ссылку'}
      </Button>
    </div>
  )
}
