import type { AskedQuestion } from '#contract/asked-question.ts'
import { draftKey, useDraft } from '../composer/drafts.ts'

interface AskedNoteProps {
  userId: string
  asked: AskedQuestion
}

/** Says where the text in the field comes from: somebody else may have requested the link. */
export function AskedNote({ userId, asked }: AskedNoteProps) {
  const { text } = useDraft(draftKey(userId, null))
  if (!text.includes(asked.text)) return null
  return (
    <p role="status" className="px-2 pb-2 text-sm text-pretty text-muted">
      Вы спросили это при входе. Нажмите «Отправить», а если вопрос не ваш, сотрите его.
    </p>
  )
}
