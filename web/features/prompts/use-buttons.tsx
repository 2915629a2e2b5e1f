import type { Prompt } from '#contract/prompts.ts'
import { copyAndReport } from '#web/lib/copy-text.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Copy, MessageSquarePlus, MessageSquareReply } from '#web/ui/icons.ts'
import { VariableForm } from './variable-form.tsx'

/** Where a filled prompt goes: to a new chat or to the open one. */
export type Destination = 'new' | 'open'

interface UseButtonsProps {
  fill: () => string | null
  hasOpenChat: boolean
  onUse: (text: string, destination: Destination) => void
}

/** Rendered inside the variable form: the first button submits it. */
export function UseButtons({ fill, hasOpenChat, onUse }: UseButtonsProps) {
  const action = (take: (text: string) => void) => () => {
    const text = fill()
    if (text !== null) take(text)
  }
  const copy = action((text) => void copyAndReport(text))
  return (
    <>
      {hasOpenChat ? (
        <IconButton label="Скопировать" icon={<Copy size={18} />} onClick={copy} />
      ) : (
        <Button variant="ghost" icon={<Copy size={18} />} onClick={copy}>
          Скопировать
        </Button>
      )}
      {hasOpenChat && (
        <Button icon={<MessageSquareReply size={18} />} onClick={action((text) => onUse(text, 'open'))}>
          В открытый чат
        </Button>
      )}
      <Button type="submit" variant="primary" icon={<MessageSquarePlus size={18} />}>
        В новый чат
      </Button>
    </>
  )
}

interface UseDialogProps {
  prompt: Prompt
  hasOpenChat: boolean
  onUse: (text: string, destination: Destination) => void
  onClose: () => void
}

export function UseDialog({ prompt, hasOpenChat, onUse, onClose }: UseDialogProps) {
  return (
    <Dialog open onClose={onClose} title={prompt.title}>
      <VariableForm
        inDialog
        content={prompt.content}
        onFill={(text) => onUse(text, 'new')}
        actions={(fill) => <UseButtons fill={fill} hasOpenChat={hasOpenChat} onUse={onUse} />}
      />
    </Dialog>
  )
}
