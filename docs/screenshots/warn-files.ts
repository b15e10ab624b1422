/** Repositories of the pictures: a shop with weak code, and a website without any. */

/** Made up, with what scans find. */
export const SHOP = {
  'src/orders.py': `import sqlite3
from flask import Flask, request

app = Flask(__name__)

def orders_of(db, customer):
    query = "SELECT * FROM orders WHERE customer = '" + customer + "'"
    return db.execute(query).fetchall()

@app.get("/orders")
def orders():
    return {"orders": orders_of(sqlite3.connect("shop.db"), request.args["customer"])}
`,
  'src/labels.py': `import hashlib
import os
from flask import request

def print_label():
    os.system("lp -t " + request.args["title"] + " label.pdf")

def label_id(text):
    return hashlib.md5(text.encode()).hexdigest()
`,
  'web/login.js': `const express = require('express');
const app = express();

app.get('/continue', (req, res) => {
  res.redirect(req.query.next);
});
`,
  Dockerfile: 'FROM python:3.13\nCOPY . /app\nCMD ["python", "/app/src/orders.py"]\n',
  'README.md': '# Shop\n',
};

/** What the second commit of the shop changes: a query that is mended, and a page that is not. */
export const CHANGED = {
  Dockerfile: 'FROM python:3.13\nCOPY . /app\nUSER 1000\nCMD ["python", "/app/src/orders.py"]\n',
  'src/orders.py': `import sqlite3
from flask import Flask, request

app = Flask(__name__)

def orders_of(db, customer):
    return db.execute("SELECT * FROM orders WHERE customer = ?", (customer,)).fetchall()

@app.get("/orders")
def orders():
    return {"orders": orders_of(sqlite3.connect("shop.db"), request.args["customer"])}

@app.get("/receipt")
def receipt():
    return open("receipts/" + request.args["file"]).read()
`,
};

export const WEBSITE = {
  'index.html':
    '<!doctype html><html lang="en"><title>Parish bird society</title><h1>Parish bird society</h1></html>\n',
  'README.md': '# Website\n',
};
