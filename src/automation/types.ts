/** What tools, flows, commands and the server know of this room: types alone. */

export type {
  Automation,
  AutomationOptions,
  ChosenPage,
  Delivery,
  Order,
  OrderContext,
  Placed,
  Planner,
} from './automation.ts';
