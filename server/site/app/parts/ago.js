import { jsx as _jsx } from "preact/jsx-runtime";
/** A point in time as `12 minutes ago`, exact in its title. */
import { ago, moment } from "../format.ts";
export const Ago = ({ time }) => _jsx("time", { dateTime: time, title: moment(time), children: ago(new Date(time)) });
