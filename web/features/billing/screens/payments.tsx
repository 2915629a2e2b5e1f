import { GatewayBoard } from '#web/features/billing/gateway-board.tsx'
import { PageHead } from '#web/ui/table/page-head.tsx'

export default function PaymentsScreen() {
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Оплата"
        description="Какие платёжные системы включены, чем в них платят, как с чеками и чего не хватает."
      />
      <GatewayBoard />
    </div>
  )
}
