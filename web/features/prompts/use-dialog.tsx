import type { Prompt } from '#contract/prompts.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { type Destination, UseButtons } from './use-buttons.tsx'
import { VariableForm } from './variable-form.tsx'

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
