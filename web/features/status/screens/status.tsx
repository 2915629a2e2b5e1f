import { StatusBoard } from '#web/features/status/status-board.tsx'
import { PageHead } from '#web/ui/table/page-head.tsx'

export default function StatusScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Состояние"
        description="Что работает не полностью, с какого времени, что замечают люди и что с этим делать."
      />
      <StatusBoard />
    </div>
  )
}
